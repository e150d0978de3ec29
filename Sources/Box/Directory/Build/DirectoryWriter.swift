import Glibc

struct DirectoryWriter {
  private let spool: FileBytes
  private let stations: [SpooledStation]
  private let file: Int32
  private let code: TextCode
  private var index: TermIndex
  private var output: OutputFile
  private(set) var aliveCount = 0
  private var sections = [Range<Int>](
    repeating: FileLayout.headerSize..<FileLayout.headerSize, count: FileLayout.Section.allCases.count)

  /// Creates a writer for the stations of a spool, in rank order. `file`: an empty file.
  init(_ spool: FileBytes, _ stations: [SpooledStation], _ limits: BuilderLimits, to file: Int32) {
    self.spool = spool
    self.stations = stations
    self.file = file
    code = Self.code(spool, stations)
    index = TermIndex(spool, stations, limits)
    output = OutputFile(
      file, at: FileLayout.headerSize + stations.count * FileLayout.recordSize, longest: limits.file)
  }

  /// Writes the file and returns its size in bytes.
  mutating func write(date: Int64, source: String) throws(DirectoryError) -> Int {
    try writeStations()
    try writeTerms()
    try writeNames()
    try write(source.utf8.prefix(FileLayout.maxSourceLength), to: .source)
    try write(code.bytes, to: .symbols)
    try output.flush()
    try writeHeader(date: date)
    return output.place
  }

  private static func code(_ spool: FileBytes, _ stations: [SpooledStation]) -> TextCode {
    var (sample, ends): ([UInt8], [Int]) = ([], [])
    for index in stride(from: 0, to: stations.count, by: max(1, stations.count / 1_000)) {
      let station = SpoolReader(spool, at: stations[index].offset)
      for text in [station.name, station.url, station.homepage, station.state] {
        sample += text
        ends.append(sample.count)
      }
    }
    return TextCodeTrainer(sample, ends: ends).train()
  }

  private mutating func write(_ bytes: some Sequence<UInt8>, to section: FileLayout.Section) throws(DirectoryError) {
    let start = output.place
    try output.write { $0 += bytes }
    end(section, start)
  }

  private mutating func end(_ section: FileLayout.Section, _ start: Int) {
    sections[section.rawValue] = start..<output.place
  }

  private mutating func writeStations() throws(DirectoryError) {
    var records = OutputFile(file, at: FileLayout.headerSize)
    let start = output.place
    var coded: [UInt8] = []
    for (rank, spooled) in stations.enumerated() {
      let station = SpoolReader(spool, at: spooled.offset)
      let terms = index.add(station, rank: rank)
      let place = UInt32(output.place - start)
      if station.flags & FileLayout.Record.isAlive != 0 { aliveCount += 1 }
      try records.write { Self.add(station, terms, text: place, to: &$0) }
      try output.write { bytes in
        for text in [station.name, station.url, station.homepage, station.state] {
          coded.removeAll(keepingCapacity: true)
          code.encode(text, to: &coded)
          bytes.append(text: coded)
        }
        for numbers in [terms.tags, terms.languages] {
          bytes.append(varint: UInt32(numbers.count))
          for number in numbers { bytes.append(varint: number) }
        }
      }
    }
    try records.flush()
    sections[FileLayout.Section.records.rawValue] = FileLayout.headerSize..<start
    end(.texts, start)
  }

  private static func add(
    _ station: SpoolReader, _ terms: TermIndex.StationTerms, text: UInt32, to bytes: inout [UInt8]
  ) {
    bytes.append(
      fixed: station.uuidHigh, station.uuidLow, text, station.votes, station.addressHash,
      ShortHash.of(station.foldedName), terms.country, station.bitRate, terms.codec, station.flags, 0 as UInt8)
  }

  /// Writes the postings, texts and labels of all terms. Words have no labels.
  private mutating func writeTerms() throws(DirectoryError) {
    let postings = try writePieces(.postings, index.order) { $0.addPostings(Int($1), to: &$2) }
    index.releasePostings()
    let texts = try writePieces(.termTexts, index.order) { $2 += $0.terms[Int($1)].dropFirst() }
    var start = output.place
    for (text, posting) in zip(texts, postings) { try output.write { $0.append(fixed: text, posting) } }
    end(.terms, start)
    let labelled = index.order.prefix { index.terms.labels[$0] != nil }
    let labels = try writePieces(.labelTexts, labelled) { $2 += ($0.terms.labels[$1] ?? "").utf8 }
    start = output.place
    for label in labels { try output.write { $0.append(fixed: label) } }
    end(.labels, start)
  }

  /// Writes a piece for each term. Returns the start of each piece in the section, and the end of the last.
  private mutating func writePieces(
    _ section: FileLayout.Section, _ numbers: some Sequence<UInt32>, _ add: (TermIndex, UInt32, inout [UInt8]) -> Void
  ) throws(DirectoryError) -> [UInt32] {
    let start = output.place
    var places: [UInt32] = []
    for number in numbers {
      places.append(UInt32(output.place - start))
      try output.write { add(index, number, &$0) }
    }
    end(section, start)
    return places + [UInt32(output.place - start)]
  }

  /// Writes the first bytes of each folded name with the station's rank, in name order.
  private mutating func writeNames() throws(DirectoryError) {
    let start = output.place
    let ranks = (0..<UInt32(stations.count)).sorted { first, second in
      let (one, other) = (stations[Int(first)], stations[Int(second)])
      if one.nameKey != other.nameKey { return one.nameKey < other.nameKey }
      let order = ByteOrder.compare(
        SpoolReader.foldedName(spool, at: one.offset), SpoolReader.foldedName(spool, at: other.offset))
      return order == 0 ? first < second : order < 0
    }
    for rank in ranks {
      let key = stations[Int(rank)].nameKey
      try output.write { $0.append(fixed: key, rank) }
    }
    end(.names, start)
  }

  private mutating func writeHeader(date: Int64) throws(DirectoryError) {
    var header = FileLayout.magic
    header.append(
      fixed: FileLayout.version, UInt32(FileLayout.headerSize), 0 as UInt64, UInt64(output.place), date,
      UInt32(stations.count), UInt32(aliveCount))
    for kind in FileLayout.TermKind.allCases { header.append(fixed: UInt32(index.terms.count(of: kind))) }
    header.append(fixed: UInt32(0))
    for section in sections { header.append(fixed: UInt32(section.lowerBound), UInt32(section.count)) }
    header += [UInt8](repeating: 0, count: FileLayout.headerSize - header.count)
    var writer = OutputFile(file, at: 0)
    try writer.write { $0 += header }
    try writer.flush()
    let sum = try FileCheck.sum(of: file, count: output.place)
    var again = OutputFile(file, at: FileLayout.Header.checksum)
    try again.write { $0.append(fixed: sum) }
    try again.flush()
  }
}
