/// What stands in one place of the display, before the eight own characters are shared out.
public enum Cell: Hashable, Sendable {
  /// A code of the ROM, and the character that is meant.
  case rom(UInt8, Character)
  /// A shape of our own.
  case glyph(Glyph)

  static let blank = Cell.rom(0x20, " ")

  /// Whether it is a letter or a figure.
  var isReadable: Bool {
    switch self {
    case .rom(_, let character): character.isLetter || character.isNumber
    case .glyph(let glyph): glyph.isLetter
    }
  }
}
