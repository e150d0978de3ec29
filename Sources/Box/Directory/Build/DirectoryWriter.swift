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
    try writePostings()
    try writeTerms()
    try writeLabels()
    try writeNames()
    var start = output.place
    try output.write { $0 += source.utf8.prefix(FileLayout.maxSourceLength) }
    end(.source, start)
    start = output.place
    try output.write { $0 += code.bytes }
    end(.symbols, start)
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
    bytes.append(fixed: station.uuidHigh)
    bytes.append(fixed: station.uuidLow)
    bytes.append(fixed: text)
    bytes.append(fixed: station.votes)
    bytes.append(fixed: station.addressHash)
    bytes.append(fixed: ShortHash.of(station.foldedName))
    bytes.append(fixed: terms.country)
    bytes.append(fixed: station.bitRate)
    bytes.append(fixed: terms.codec)
    bytes.append(station.flags)
    bytes.append(0)
  }

  private mutating func writePostings() throws(DirectoryError) {
    let start = output.place
    for number in index.order {
      index.starts.append(UInt32(output.place - start))
      try output.write { index.addPostings(Int(number), to: &$0) }
    }
    index.starts.append(UInt32(output.place - start))
    end(.postings, start)
    index.releasePostings()
  }

  private mutating func writeTerms() throws(DirectoryError) {
    var start = output.place
    var places: [UInt32] = []
    for number in index.order {
      places.append(UInt32(output.place - start))
      try output.write { $0 += index.terms[Int(number)].dropFirst() }
    }
    places.append(UInt32(output.place - start))
    end(.termTexts, start)
    start = output.place
    for (place, posting) in zip(places, index.starts) {
      try output.write { bytes in
        bytes.append(fixed: place)
        bytes.append(fixed: posting)
      }
    }
    end(.terms, start)
  }

  /// Writes the labels of all terms except words: texts, then offsets.
  private mutating func writeLabels() throws(DirectoryError) {
    var start = output.place
    var places: [UInt32] = []
    for number in index.order {
      guard let label = index.terms.labels[number] else { break }
      places.append(UInt32(output.place - start))
      try output.write { $0 += label.utf8 }
    }
    places.append(UInt32(output.place - start))
    end(.labelTexts, start)
    start = output.place
    for place in places { try output.write { $0.append(fixed: place) } }
    end(.labels, start)
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
      try output.write { bytes in
        bytes.append(fixed: key)
        bytes.append(fixed: rank)
      }
    }
    end(.names, start)
  }

  private mutating func writeHeader(date: Int64) throws(DirectoryError) {
    var header = FileLayout.magic
    header.append(fixed: FileLayout.version)
    header.append(fixed: UInt32(FileLayout.headerSize))
    header.append(fixed: UInt64(0))
    header.append(fixed: UInt64(output.place))
    header.append(fixed: date)
    header.append(fixed: UInt32(stations.count))
    header.append(fixed: UInt32(aliveCount))
    for kind in FileLayout.TermKind.allCases { header.append(fixed: UInt32(index.terms.count(of: kind))) }
    header.append(fixed: UInt32(0))
    for section in sections {
      header.append(fixed: UInt32(section.lowerBound))
      header.append(fixed: UInt32(section.count))
    }
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
