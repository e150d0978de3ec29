/// The cells of ASCII text, prepared once for each ROM, because almost all texts are ASCII.
enum AsciiCells {
  private static let a00 = table(.a00)
  private static let a02 = table(.a02)

  /// Returns the cells of a text; nil if a character is not printable ASCII, or needs more cells than one.
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

  private static func table(_ rom: CharacterRom) -> [Cell?] {
    let typesetter = Typesetter(rom: rom)
    return (0..<0x80).map { code in
      guard (0x20..<0x7F).contains(code) else { return nil }
      let cells = typesetter.composed(String(UnicodeScalar(UInt8(code))))
      return cells.count == 1 ? cells.first : nil
    }
  }
}
