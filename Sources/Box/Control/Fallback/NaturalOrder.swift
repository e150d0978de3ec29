/// The natural order of names: runs of digits compare as numbers, letters without case.
enum NaturalOrder {
  private typealias Entry = (name: String, pieces: [Piece])

  private enum Piece {
    /// A number without leading zeros. The number of digits decides first.
    case number([UInt8])
    case text([UInt8])
  }

  static func sorted(_ names: [String]) -> [String] {
    names.map { (name: $0, pieces: pieces(of: $0)) }.sorted { isBefore($0, $1) }.map(\.name)
  }

  private static func pieces(of name: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Array(name.lowercased().utf8)[...]
    while let first = rest.first {
      let isNumber = isDigit(first)
      let run = rest.prefix { isDigit($0) == isNumber }
      rest = rest.dropFirst(run.count)
      pieces.append(isNumber ? .number(Array(run.drop { $0 == UInt8(ascii: "0") })) : .text(Array(run)))
    }
    return pieces
  }

  private static func isBefore(_ one: Entry, _ other: Entry) -> Bool {
    for (left, right) in zip(one.pieces, other.pieces) {
      if let isLess = isLess(left, right) { return isLess }
    }
    if one.pieces.count != other.pieces.count { return one.pieces.count < other.pieces.count }
    return one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
  }

  /// Returns nil for equal pieces.
  private static func isLess(_ one: Piece, _ other: Piece) -> Bool? {
    switch (one, other) {
    case (.number(let one), .number(let other)) where one.count != other.count: one.count < other.count
    case (.number(let one), .number(let other)), (.text(let one), .text(let other)):
      one == other ? nil : one.lexicographicallyPrecedes(other)
    case (.number, .text): true
    case (.text, .number): false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
