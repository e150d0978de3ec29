/// Reads rows of fields with commas between them (RFC 4180), which come in pieces: quoted fields may hold commas, line
/// breaks and doubled quotes.
///
/// A row that is longer than a row may be is passed over to its end. Its quotes count on, since a line break in a long
/// field must not begin a row: who fills the field would write a row of other stations.
struct CsvReader {
  /// The longest row, in bytes.
  static let longestRow = 64 << 10
  /// The most fields of a row; further ones are counted only.
  static let mostFields = 128

  private enum State {
    case start, plain, quoted, quoteInQuoted, carriageReturn
  }

  private var state = State.start
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// Whether the row is too long, so that nothing of it is kept.
  private(set) var isTooLong = false
  private(set) var rowCount = 0
  /// Rows that were too long.
  private(set) var tooLongCount = 0

  /// Whether a row has begun and not ended.
  var isInRow: Bool {
    isTooLong || state != .start && state != .carriageReturn || !bytes.isEmpty || !ends.isEmpty
  }

  /// A row's fields, without their quotes.
  struct Row {
    fileprivate let bytes: [UInt8]
    fileprivate let ends: [Int]

    /// How many fields it has.
    var count: Int { ends.count }

    /// A field as text; what is no UTF-8 is replaced.
    subscript(index: Int) -> String {
      guard ends.indices.contains(index) else { return "" }
      let start = index == 0 ? 0 : ends[index - 1]
      return String(decoding: bytes[start..<ends[index]], as: UTF8.self)
    }
  }

  /// Reads on, and tells the rows that end.
  mutating func append(_ piece: Span<UInt8>, _ body: (Row) throws(DirectoryError) -> Void) throws(DirectoryError) {
    var place = 0
    while place < piece.count {
      let end = run(piece, from: place)
      if end > place {
        if !isTooLong { for index in place..<end { bytes.append(piece[index]) } }
        place = end
      } else {
        try take(piece[place], body)
        place += 1
      }
    }
  }

  /// Where the bytes end that only belong to a field, and for which there is room.
  private func run(_ piece: Span<UInt8>, from start: Int) -> Int {
    var place = start
    let end = isTooLong ? piece.count : min(piece.count, start + Self.longestRow - bytes.count)
    switch state {
    case .plain:
      while place < end, !Self.endsField(piece[place]) { place += 1 }
    case .quoted:
      while place < end, piece[place] != UInt8(ascii: "\"") { place += 1 }
    default: break
    }
    return place
  }

  private static func endsField(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  private mutating func take(_ byte: UInt8, _ body: (Row) throws(DirectoryError) -> Void) throws(DirectoryError) {
    switch (state, byte) {
    case (.carriageReturn, UInt8(ascii: "\n")): state = .start
    case (.carriageReturn, _):
      state = .start
      try take(byte, body)
    case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
    case (.quoted, _): add(byte)
    case (.start, UInt8(ascii: "\"")): state = .quoted
    case (.quoteInQuoted, UInt8(ascii: "\"")):
      state = .quoted
      add(byte)
    case (_, UInt8(ascii: ",")): endField()
    case (_, UInt8(ascii: "\n")): try endRow(.start, body)
    case (_, UInt8(ascii: "\r")): try endRow(.carriageReturn, body)
    default:
      state = .plain
      add(byte)
    }
  }

  private mutating func add(_ byte: UInt8) {
    guard !isTooLong, bytes.count < Self.longestRow else {
      isTooLong = true
      bytes.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      return
    }
    bytes.append(byte)
  }

  private mutating func endField() {
    state = .start
    if !isTooLong, ends.count < Self.mostFields { ends.append(bytes.count) }
  }

  private mutating func endRow(
    _ next: State, _ body: (Row) throws(DirectoryError) -> Void
  ) throws(DirectoryError) {
    // An empty line is no row.
    guard isInRow else { return state = next }
    endField()
    state = next
    if isTooLong {
      isTooLong = false
      tooLongCount += 1
      return
    }
    rowCount += 1
    let row = Row(bytes: bytes, ends: ends)
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    try body(row)
  }
}
