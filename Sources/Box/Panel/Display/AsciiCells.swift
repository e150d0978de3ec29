/// The cells of ASCII text, prepared once for each ROM, because almost all texts are ASCII.
enum AsciiCells {
  private static let a00 = table(.a00)
  private static let a02 = table(.a02)

  /// Returns the cells of a text; nil if a character is not printable ASCII, or missing in the ROM.
  static func cells(_ text: String, rom: CharacterRom) -> [Cell]? {
    let table = rom == .a00 ? a00 : a02
    let count = text.utf8.count
    // A mark after the limit would belong to the last character.
    guard count <= Typesetter.limit else { return nil }
    var cells: [Cell] = []
    cells.reserveCapacity(count)
    for byte in text.utf8 {
      guard byte < 0x80, let cell = table[Int(byte)] else { return nil }
      cells.append(cell)
    }
    return cells
  }

  /// Reads only the ROM, because the tables of letters and substitutes are large, and most boxes never need them.
  private static func table(_ rom: CharacterRom) -> [Cell?] {
    (0..<0x80).map { code in
      guard (0x20..<0x7F).contains(code) else { return nil }
      let character = Character(UnicodeScalar(UInt8(code)))
      return rom.code(for: character).map { .rom($0, character) }
    }
  }
}
