import Units

extension ZoneRules {
  /// Maximum length of a file.
  private static let maxByteCount = 128 << 10

  /// Reads a file of the tz database (TZif, RFC 9636, versions 2 to 4). Throws for other bytes.
  public init(_ bytes: [UInt8]) throws(ZoneError) {
    guard bytes.count <= Self.maxByteCount else { throw .noZone }
    var reader = ZoneFileReader(bytes)
    // The first block, with times of 32 bits, serves old readers.
    let old = try reader.header()
    try reader.skip(old.byteCount(timeSize: 4))
    let counts = try reader.header()
    // Leap seconds would shift all moments.
    guard counts.leaps == 0 else { throw .noZone }
    let moments = try reader.list(counts.times) { reader throws(ZoneError) in try reader.number64() }
    let kinds = try reader.list(counts.times) { reader throws(ZoneError) in try reader.byte() }
    let offsets = try reader.list(counts.types) { reader throws(ZoneError) in
      let offset = try reader.number32()
      try reader.skip(2)
      guard abs(offset) <= Self.maxOffset else { throw ZoneError.damaged }
      return offset
    }
    try reader.skip(counts.characters + counts.standards + counts.universals)
    guard let first = offsets.first, kinds.allSatisfy({ Int($0) < offsets.count }),
      zip(moments, moments.dropFirst()).allSatisfy({ $0 < $1 })
    else { throw .damaged }
    let transitions = zip(moments, kinds).map { Transition(moment: $0, offset: offsets[Int($1)]) }
    let text = try reader.footer()
    let rule = ZoneRule(text)
    guard text.isEmpty || rule != nil else { throw .damaged }
    self.init(first: first, transitions: transitions, rule: rule)
  }
}

/// The counts in a header of TZif.
private struct ZoneFileCounts {
  var (universals, standards, leaps) = (0, 0, 0)
  var (times, types, characters) = (0, 0, 0)

  func byteCount(timeSize: Int) -> Int {
    times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + standards + universals
  }
}

/// Reads a TZif file from start to end.
private struct ZoneFileReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func skip(_ count: Int) throws(ZoneError) {
    guard count >= 0, count <= bytes.count - place else { throw .damaged }
    place += count
  }

  mutating func byte() throws(ZoneError) -> UInt8 {
    try skip(1)
    return bytes[place - 1]
  }

  mutating func number32() throws(ZoneError) -> Int {
    try skip(4)
    return Int(Int32(truncatingIfNeeded: bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }))
  }

  mutating func number64() throws(ZoneError) -> Int64 {
    try skip(8)
    return bytes[place - 8..<place].reduce(0) { $0 << 8 | Int64($1) }
  }

  mutating func list<Element>(
    _ count: Int, _ read: (inout ZoneFileReader) throws(ZoneError) -> Element
  ) throws(ZoneError) -> [Element] {
    var list: [Element] = []
    for _ in 0..<count { list.append(try read(&self)) }
    return list
  }

  mutating func header() throws(ZoneError) -> ZoneFileCounts {
    guard bytes[place...].starts(with: "TZif".utf8) else { throw .noZone }
    try skip(4)
    guard try byte() >= UInt8(ascii: "2") else { throw .noZone }
    try skip(15)
    var counts = ZoneFileCounts()
    counts.universals = try count()
    counts.standards = try count()
    counts.leaps = try count()
    counts.times = try count()
    counts.types = try count()
    counts.characters = try count()
    guard counts.types > 0 else { throw .damaged }
    return counts
  }

  private mutating func count() throws(ZoneError) -> Int {
    let count = try number32()
    guard (0...bytes.count).contains(count) else { throw .damaged }
    return count
  }

  /// The text between two line feeds at the end.
  mutating func footer() throws(ZoneError) -> ArraySlice<UInt8> {
    guard try byte() == 10, let end = bytes[place...].firstIndex(of: 10) else { throw .damaged }
    return bytes[place..<end]
  }
}
