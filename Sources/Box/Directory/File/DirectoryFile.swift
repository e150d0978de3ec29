import Units

/// Reads the parts of a directory file. Even in a forged file, reads stay inside the file, loops end, and texts have
/// the maximum lengths of `DirectoryEntry`.
struct DirectoryFile: Sendable {
  let bytes: FileBytes
  let checksum: UInt64
  let date: Int64
  let count: Int
  let aliveCount: Int
  /// The range of each kind in the sorted terms.
  private let kinds: [Range<Int>]
  private let sections: [Range<Int>]

  /// Reads the header; `isSound` checks the rest. Throws `.foreign`, `.otherVersion`, or `.damaged` if a size is wrong.
  init(_ bytes: FileBytes) throws(DirectoryError) {
    guard bytes.slice(0..<8).elementsEqual(FileLayout.magic) else { throw .foreign }
    let version: UInt32 = bytes.number(FileLayout.Header.version)
    guard version == FileLayout.version else { throw .otherVersion(Int(version)) }
    guard bytes.number(FileLayout.Header.length, as: UInt64.self) == UInt64(bytes.count) else { throw .damaged }
    let sections = FileLayout.Section.allCases.map { section in
      let place = FileLayout.Header.sections + section.rawValue * 8
      let (start, count) = (Int(bytes.number(place, as: UInt32.self)), Int(bytes.number(place + 4, as: UInt32.self)))
      return start..<start + count
    }
    var kinds: [Range<Int>] = []
    for kind in FileLayout.TermKind.allCases {
      let start = kinds.last?.upperBound ?? 0
      let place = FileLayout.Header.termCounts + Int(kind.rawValue) * 4
      kinds.append(start..<start + Int(bytes.number(place, as: UInt32.self)))
    }

    func size(_ section: FileLayout.Section) -> Int { sections[section.rawValue].count }
    count = Int(bytes.number(FileLayout.Header.stationCount, as: UInt32.self))
    aliveCount = Int(bytes.number(FileLayout.Header.aliveCount, as: UInt32.self))
    let termCount = kinds.last?.upperBound ?? 0
    let labelCount = kinds[Int(FileLayout.TermKind.codec.rawValue)].upperBound
    guard sections.allSatisfy({ $0.lowerBound >= FileLayout.headerSize && $0.upperBound <= bytes.count }),
      count <= FileLayout.maxStations, aliveCount <= count, size(.records) == count * FileLayout.recordSize,
      size(.names) == count * FileLayout.nameSize, size(.terms) == (termCount + 1) * FileLayout.termSize,
      size(.labels) == (labelCount + 1) * 4
    else { throw .damaged }
    (self.bytes, self.kinds, self.sections) = (bytes, kinds, sections)
    checksum = bytes.number(FileLayout.Header.checksum)
    date = bytes.number(FileLayout.Header.date)
  }

  var source: String { whole(.source).text.cleaned(most: FileLayout.maxSourceLength) }

  func start(_ section: FileLayout.Section) -> Int { sections[section.rawValue].lowerBound }

  func whole(_ section: FileLayout.Section) -> UnsafeRawBufferPointer { bytes.slice(sections[section.rawValue]) }

  /// Returns the bytes between two positions of a section, clamped to the section.
  private func slice(_ section: FileLayout.Section, _ from: UInt32, _ to: UInt32) -> UnsafeRawBufferPointer {
    let whole = sections[section.rawValue]
    let first = min(whole.upperBound, whole.lowerBound + Int(from))
    return bytes.slice(first..<max(first, min(whole.upperBound, whole.lowerBound + Int(to))))
  }

  // MARK: Records

  /// Returns a number in a station's record; 0 for an unknown station.
  func field<Number: FixedWidthInteger>(_ rank: Int, _ place: Int, as: Number.Type = Number.self) -> Number {
    guard rank >= 0, rank < count else { return 0 }
    return bytes.number(start(.records) + rank * FileLayout.recordSize + place)
  }

  func uuid(_ rank: Int) -> StationUuid? {
    let uuid = StationUuid(high: field(rank, FileLayout.Record.uuidHigh), low: field(rank, FileLayout.Record.uuidLow))
    return uuid.high | uuid.low == 0 ? nil : uuid
  }

  private func texts(_ rank: Int) -> VarintReader {
    guard rank >= 0, rank < count else { return VarintReader(bytes.slice(0..<0)) }
    let isLast = rank == count - 1
    return VarintReader(
      slice(
        .texts, field(rank, FileLayout.Record.text), isLast ? .max : field(rank + 1, FileLayout.Record.text)))
  }

  func name(_ rank: Int) -> String {
    var reader = texts(rank)
    return decoded(reader.text(), most: DirectoryEntry.maxNameLength).cleaned(most: DirectoryEntry.maxNameLength)
  }

  private func decoded(_ text: UnsafeRawBufferPointer, most: Int) -> String {
    String(decoding: TextCode.decode(text, by: whole(.symbols), most: most), as: UTF8.self)
  }

  /// Returns an HTTP or HTTPS address; empty for any other text.
  private func address(_ text: UnsafeRawBufferPointer) -> String {
    DirectoryEntry.address(decoded(text, most: DirectoryEntry.maxUrlLength)) ?? ""
  }

  func entry(_ rank: Int) -> DirectoryEntry {
    var reader = texts(rank)
    let name = reader.text()
    let url = reader.text()
    let homepage = reader.text()
    let state = reader.text()
    let tags = numbers(&reader, most: DirectoryEntry.maxTags).map { label(.tag, $0) }
    let languages = numbers(&reader, most: DirectoryEntry.maxLanguages).map { label(.language, $0) }
    let country = Int(field(rank, FileLayout.Record.country, as: UInt16.self)) - 1
    let flags: UInt8 = field(rank, FileLayout.Record.flags)
    return DirectoryEntry(
      name: decoded(name, most: DirectoryEntry.maxNameLength).cleaned(most: DirectoryEntry.maxNameLength),
      url: StationAddress(address(url)), homepage: address(homepage), tags: tags, countryCode: countryCode(country),
      country: label(.country, country),
      state: decoded(state, most: DirectoryEntry.maxWordLength).cleaned(most: DirectoryEntry.maxWordLength),
      languages: languages,
      codec: label(.codec, Int(field(rank, FileLayout.Record.codec, as: UInt16.self)) - 1),
      bitRate: Int(field(rank, FileLayout.Record.bitRate, as: UInt16.self)),
      votes: Int(field(rank, FileLayout.Record.votes, as: UInt32.self)),
      isAlive: flags & FileLayout.Record.isAlive != 0,
      isHls: flags & FileLayout.Record.isHls != 0, uuid: uuid(rank))
  }

  func tags(_ rank: Int) -> [Int] {
    var reader = texts(rank)
    for _ in 0..<4 { _ = reader.text() }
    return numbers(&reader, most: DirectoryEntry.maxTags)
  }

  private func numbers(_ reader: inout VarintReader, most: Int) -> [Int] {
    let count = min(most, Int(reader.number()))
    return (0..<count).map { _ in Int(reader.number()) }
  }

  /// Returns the rank of the station at a position in name order.
  func rankByName(_ place: Int) -> Int {
    guard place >= 0, place < count else { return 0 }
    return min(count - 1, Int(bytes.number(start(.names) + place * FileLayout.nameSize + 8, as: UInt32.self)))
  }

  /// Returns the first eight bytes of the folded name at a position in name order, padded with zeros.
  func nameKey(_ place: Int) -> UInt64 {
    guard place >= 0, place < count else { return 0 }
    return bytes.number(start(.names) + place * FileLayout.nameSize)
  }

  // MARK: Terms

  func termCount(_ kind: FileLayout.TermKind) -> Int { kinds[Int(kind.rawValue)].count }

  private func entry(_ kind: FileLayout.TermKind, _ place: Int, _ offset: Int) -> (from: UInt32, to: UInt32) {
    let range = kinds[Int(kind.rawValue)]
    guard place >= 0, place < range.count else { return (0, 0) }
    let start = start(.terms) + (range.lowerBound + place) * FileLayout.termSize + offset
    return (bytes.number(start), bytes.number(start + FileLayout.termSize))
  }

  /// Returns the folded text of a term. For a country, returns its code if known.
  func text(_ kind: FileLayout.TermKind, _ place: Int) -> UnsafeRawBufferPointer {
    let (from, to) = entry(kind, place, 0)
    return slice(.termTexts, from, to)
  }

  /// Returns the code of a country; empty if unknown.
  func countryCode(_ place: Int) -> String {
    let code = text(.country, place).text
    return CountryName.isCode(code) ? code : ""
  }

  /// Returns the spelling of a country, language, tag or codec for people.
  func label(_ kind: FileLayout.TermKind, _ place: Int) -> String {
    let range = kinds[Int(kind.rawValue)]
    guard kind != .word, place >= 0, place < range.count else { return "" }
    let start = start(.labels) + (range.lowerBound + place) * 4
    return slice(.labelTexts, bytes.number(start), bytes.number(start + 4)).text
      .cleaned(most: DirectoryEntry.maxWordLength)
  }

  func stationCount(_ kind: FileLayout.TermKind, _ place: Int) -> Int {
    let (from, to) = entry(kind, place, 4)
    var reader = VarintReader(slice(.postings, from, to))
    return min(count, Int(reader.number()))
  }

  func eachStation(_ kind: FileLayout.TermKind, _ place: Int, _ body: (Int) -> Void) {
    let (from, to) = entry(kind, place, 4)
    var reader = VarintReader(slice(.postings, from, to))
    _ = reader.number()
    var (rank, left) = (0, count)
    while !reader.isOver, left > 0 {
      rank += Int(reader.number())
      guard rank < count else { return }
      body(rank)
      left -= 1
    }
  }

  func lowerBound(_ kind: FileLayout.TermKind, _ key: UnsafeRawBufferPointer) -> Int {
    partition(kind) { ByteOrder.compare($0, key) >= 0 }
  }

  func beginning(_ kind: FileLayout.TermKind, _ key: UnsafeRawBufferPointer) -> Range<Int> {
    let first = lowerBound(kind, key)
    let end = partition(kind) { term in
      ByteOrder.compare(UnsafeRawBufferPointer(rebasing: term.prefix(key.count)), key) > 0
    }
    return first..<max(first, end)
  }

  /// Returns the first position at which `isPast` returns true, by binary search.
  private func partition(_ kind: FileLayout.TermKind, _ isPast: (UnsafeRawBufferPointer) -> Bool) -> Int {
    (0..<termCount(kind)).partition { isPast(text(kind, $0)) }
  }
}
