/// The content of a display cell, before the eight custom characters are assigned.
public enum Cell: Hashable, Sendable {
  /// A code of the ROM, and the intended character.
  case rom(UInt8, Character)
  case glyph(Glyph)

  static let blank = Cell.rom(0x20, " ")

  var isReadable: Bool {
    switch self {
    case .rom(_, let character): character.isLetter || character.isNumber
    case .glyph(let glyph): glyph.isLetter
    }
  }
}
