/// The terms of all stations, and the stations of each term, while the file is written.
struct TermIndex {
  /// A station's terms, as positions within their kind. Positions in records start at 1; 0 means missing.
  struct StationTerms {
    var country: UInt16 = 0
    var codec: UInt16 = 0
    var tags: [UInt32] = []
    var languages: [UInt32] = []
  }

  private static let maxTermsPerStation = 128

  private(set) var terms: TermTable
  /// The numbers of the terms, sorted by kind and text.
  private(set) var order: [UInt32] = []
  private var places: [UInt32] = []
  private var postings: [UInt32] = []
  private var cursors: [UInt32] = []
  /// The first rank that is not in the index; from there, stations have no terms.
  private var indexedCount = 0

  init(_ spool: FileBytes, _ stations: [SpooledStation], _ limits: BuilderLimits) {
    terms = TermTable(longest: limits.terms)
    var (total, numbers) = (0, [UInt32]())
    for spooled in stations {
      _ = termNumbers(SpoolReader(spool, at: spooled.offset), &numbers)
      guard total + numbers.count <= limits.postings else { break }
      total += numbers.count
      for number in numbers { terms.count(Int(number)) }
      indexedCount += 1
    }
    order = terms.sorted()
    places = Array(repeating: 0, count: order.count)
    var (kind, first): (UInt8?, Int) = (nil, 0)
    for (place, number) in order.enumerated() {
      let own = terms[Int(number)].first
      if own != kind { (kind, first) = (own, place) }
      places[Int(number)] = UInt32(place - first)
    }
    var next: UInt32 = 0
    cursors.reserveCapacity(terms.count)
    for count in terms.counts {
      cursors.append(next)
      next += count
    }
    postings = Array(repeating: 0, count: total)
  }

  /// Adds a station to the postings of each of its terms. Call in rank order.
  mutating func add(_ station: SpoolReader, rank: Int) -> StationTerms {
    guard rank < indexedCount else { return StationTerms() }
    var numbers: [UInt32] = []
    let found = termNumbers(station, &numbers)
    for number in numbers {
      postings[Int(cursors[Int(number)])] = UInt32(rank)
      cursors[Int(number)] += 1
    }

    func place(_ number: Int?) -> UInt16 { number.map { UInt16(clamping: places[$0] + 1) } ?? 0 }
    return StationTerms(
      country: place(found.country), codec: place(found.codec), tags: found.tags.map { places[$0] },
      languages: found.languages.map { places[$0] })
  }

  /// Appends the postings of a term: the number of stations, and the distances between their ranks.
  func addPostings(_ number: Int, to bytes: inout [UInt8]) {
    let count = Int(terms.counts[number])
    let end = Int(cursors[number])
    bytes.append(varint: UInt32(count))
    var last: UInt32 = 0
    for rank in postings[end - count..<end] {
      bytes.append(varint: rank - last)
      last = rank
    }
  }

  mutating func releasePostings() {
    postings = []
    cursors = []
  }

  /// Returns the numbers of a station's terms by field. `numbers` receives all these numbers without repeats.
  private mutating func termNumbers(
    _ station: SpoolReader, _ numbers: inout [UInt32]
  ) -> (country: Int?, codec: Int?, tags: [Int], languages: [Int]) {
    numbers.removeAll(keepingCapacity: true)
    let country = station.country.text
    let folded = FoldedText(country)
    let code = station.countryCode
    var place: Int?
    if !code.isEmpty || !folded.isEmpty {
      place = terms.insert(.country, code.isEmpty ? folded.bytes[...] : Array(code)[...], label: country)
    }
    let codecName = station.codec.text
    let codec = codecName.isEmpty ? nil : terms.insert(.codec, codecName.lowercased().utf8, label: codecName)
    var texts = [FoldedText(station.name.text), folded, FoldedText(station.state.text)]
    let languages = fields(station.languages, .language, &texts)
    let tags = fields(station.tags, .tag, &texts)
    for number in [place, codec].compactMap({ $0 }) + languages + tags { numbers.append(UInt32(number)) }
    for text in texts {
      text.eachBeginning { word in
        if numbers.count < Self.maxTermsPerStation, let number = terms.insert(.word, word) {
          numbers.append(UInt32(number))
        }
      }
    }
    numbers.sort()
    var kept = 0
    for index in numbers.indices where index == 0 || numbers[index] != numbers[kept - 1] {
      numbers[kept] = numbers[index]
      kept += 1
    }
    numbers.removeLast(numbers.count - kept)
    return (place, codec, tags, languages)
  }

  private mutating func fields(
    _ fields: [UnsafeRawBufferPointer], _ kind: FileLayout.TermKind, _ texts: inout [FoldedText]
  ) -> [Int] {
    fields.compactMap { field in
      let label = field.text
      let folded = FoldedText(label)
      texts.append(folded)
      return terms.insert(kind, folded.bytes, label: label)
    }
  }
}
