/// A shape that the ROM may lack, and its meaning.
public struct Glyph: Hashable, Sendable {
  /// Eight lines of five dots, one byte each, top line in the highest byte; the leftmost dot is bit 4.
  public let shape: UInt64
  /// The nearest Unicode character, one cell wide on a terminal.
  public let character: Character
  /// The ASCII substitute if no custom character is free.
  public let spare: Character
  /// True for a letter of a text; icons and bars have priority.
  public let isLetter: Bool
  /// The codes of the character in both ROMs, found once.
  private let codeA00: UInt8?
  private let codeA02: UInt8?

  /// Parses a drawing of up to eight lines of `#` and `.` between blanks; missing lines are blank.
  init(_ character: Character, spare: Character, isLetter: Bool = false, _ drawing: String) {
    self.character = character
    self.spare = spare
    self.isLetter = isLetter
    var shape: UInt64 = 0
    var count = 0
    for line in drawing.split(separator: " ") {
      shape = shape << 8 | line.reduce(0) { $0 << 1 | ($1 == "#" ? 1 : 0) }
      count += 1
    }
    precondition(count <= 8, "a glyph has eight lines")
    self.shape = count == 0 ? 0 : shape << UInt64(8 * (8 - count))
    codeA00 = CharacterRom.a00.code(for: character)
    codeA02 = CharacterRom.a02.code(for: character)
  }

  /// Returns the code of the character; nil if the ROM lacks it.
  func code(in rom: CharacterRom) -> UInt8? { rom == .a00 ? codeA00 : codeA02 }

  /// The eight lines, from the top.
  public var lines: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: shape >> UInt64(56 - 8 * $0)) } }
}

extension Glyph {
  static let play = Glyph("▶", spare: ">", "#.... ##... ###.. ####. ###.. ##... #....")
  static let pause = Glyph("⏸", spare: "=", "##.## ##.## ##.## ##.## ##.## ##.## ##.##")
  static let stop = Glyph("■", spare: "#", "..... ##### ##### ##### ##### #####")
  static let record = Glyph("●", spare: "o", "..... .###. ##### ##### ##### .###.")
  static let buffering = Glyph("⧗", spare: ":", "##### #...# .###. ..#.. .#.#. #.#.# #####")
  static let note = Glyph("♪", spare: "*", "..##. ..#.# ..#.# ..#.. ###.. ###..")
  static let check = Glyph("✓", spare: "+", "..... ....# ....# ...#. #..#. .##.. ..#..")
  static let cross = Glyph("✕", spare: "x", "..... #...# .#.#. ..#.. .#.#. #...#")
  static let clock = Glyph("◷", spare: "@", ".###. #.#.# #.#.# #.### #...# .###.")
  static let networkOff = Glyph("⊘", spare: "!", "..... .###. #..## #.#.# ##..# .###.")
  static let speaker = Glyph("◄", spare: "<", "...#. ..##. ####. ####. ####. ..##. ...#.")

  static let dot = Glyph("·", spare: ".", "..... ..... ..... .##.. .##..")
  static let full = Glyph("█", spare: "#", "##### ##### ##### ##### ##### ##### ##### #####")
  static let upper = Glyph("▀", spare: "\"", "##### ##### #####")
  static let lower = Glyph("▄", spare: "_", "..... ..... ..... ..... ..... ##### ##### #####")
  static let both = Glyph("≡", spare: "=", "##### ##### ..... ..... ..... ##### ##### #####")

  /// A cell with one to four of its five columns filled, from the left.
  static let columns: [Glyph] = zip("▏▎▌▊", ["#....", "##...", "###..", "####."]).map { character, line in
    Glyph(character, spare: character < "▎" ? "#" : "-", Array(repeating: line, count: 8).joined(separator: " "))
  }

  /// A cell with one to seven of its eight lines filled, from below.
  static let levels: [Glyph] = "▁▂▃▄▅▆▇".enumerated().map { index, character in
    let (empty, filled) = (Array(repeating: ".....", count: 7 - index), Array(repeating: "#####", count: index + 1))
    return Glyph(character, spare: index < 3 ? "." : ":", (empty + filled).joined(separator: " "))
  }
}
