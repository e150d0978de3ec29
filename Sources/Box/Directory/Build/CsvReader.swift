/// Parses comma-separated rows (RFC 4180) that arrive in pieces.
///
/// A row above the limit is skipped, but its quotes are still parsed. Otherwise a line break in a long field could
/// start a forged row.
struct CsvReader {
  /// Maximum length of a row in bytes.
  static let maxRowLength = 64 << 10
  /// Maximum number of fields per row; further fields are dropped and not counted.
  static let maxFields = 128

  private enum State {
    case start, plain, quoted, quoteInQuoted, carriageReturn
  }

  private var state = State.start
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private(set) var isTooLong = false
  private(set) var rowCount = 0
  private(set) var tooLongCount = 0

  var isInRow: Bool {
    isTooLong || state != .start && state != .carriageReturn || !bytes.isEmpty || !ends.isEmpty
  }

  struct Row {
    fileprivate let bytes: [UInt8]
    fileprivate let ends: [Int]

    var count: Int { ends.count }

    /// A field as text; invalid UTF-8 is replaced. Empty if the row lacks the field.
    subscript(index: Int) -> String {
      guard ends.indices.contains(index) else { return "" }
      let start = index == 0 ? 0 : ends[index - 1]
      return String(decoding: bytes[start..<ends[index]], as: UTF8.self)
    }
  }

  mutating func append(_ piece: Span<UInt8>, _ body: (Row) throws(DirectoryError) -> Void) throws(DirectoryError) {
    var place = 0
    while place < piece.count {
      let end = run(piece, from: place)
      if end > place {
        if !isTooLong { for index in place..<end { bytes.append(piece[index]) } }
        place = end
      } else {
        try process(piece[place], body)
        place += 1
      }
    }
  }

  /// Returns the end of the next bytes that belong to the current field and fit into the row.
  private func run(_ piece: Span<UInt8>, from start: Int) -> Int {
    var place = start
    let end = isTooLong ? piece.count : min(piece.count, start + Self.maxRowLength - bytes.count)
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

  private mutating func process(_ byte: UInt8, _ body: (Row) throws(DirectoryError) -> Void) throws(DirectoryError) {
    switch (state, byte) {
    case (.carriageReturn, UInt8(ascii: "\n")): state = .start
    case (.carriageReturn, _):
      state = .start
      try process(byte, body)
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
    guard !isTooLong, bytes.count < Self.maxRowLength else {
      isTooLong = true
      bytes.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      return
    }
    bytes.append(byte)
  }

  private mutating func endField() {
    state = .start
    if !isTooLong, ends.count < Self.maxFields { ends.append(bytes.count) }
  }

  private mutating func endRow(
    _ next: State, _ body: (Row) throws(DirectoryError) -> Void
  ) throws(DirectoryError) {
    // An empty line is not a row.
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
