/// The character ROMs of an HD44780; the module's data sheet names its type.
public enum CharacterRom: String, CaseIterable, Sendable {
  /// The common type: ASCII except two characters, katakana, some Greek (HD44780U data sheet, table 4).
  case a00 = "A00"
  /// The European type: Latin-1, some Cyrillic, some Greek (the same, table 4 continued).
  case a02 = "A02"

  /// Returns the code of a character or a look-alike; nil if the ROM has neither.
  public func code(for character: Character) -> UInt8? {
    switch self {
    case .a00: Self.codesA00[character]
    case .a02: Self.codesA02[character]
    }
  }

  private typealias Runs = KeyValuePairs<UInt8, String>

  private static let runsA00: Runs = [
    0x20: ##" !"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[¥]^_`abcdefghijklmnopqrstuvwxyz{|}→←"##,
    0xA1: "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソ",
    0xC0: "タチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜",
    0xE0: "αäβεμσρ", 0xE8: "√", 0xEC: "¢£ñö", 0xF2: "θ∞ΩüΣπ", 0xFD: "÷", 0xFF: "█",
    // Look-alikes.
    0xA5: "·", 0xDF: "°", 0xE2: "ß", 0xE4: "µ",
  ]

  private static let runsA02: Runs = [
    0x10: "▶◀“”", 0x16: "●↲↑↓→←≤≥▲▼",
    0x20: ##" !"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_`abcdefghijklmnopqrstuvwxyz{|}~⌂"##,
    0x80: "БДЖЗИЙЛПУЦЧШЩЪЫЭα♪ΓπΣσ♬τ", 0x99: "θΩδ∞♥ε∩‖¡¢£¤¥¦§ƒ©ª«ЮЯ®´", 0xB1: "±²³", 0xB5: "µ¶·ω¹º»¼½¾¿",
    0xC0: "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ΦÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
    // Look-alikes.
    0xB0: "°", 0xD0: "Đ", 0xD8: "Ø",
  ]

  private static let codesA00 = table(runsA00)
  private static let codesA02 = table(runsA02)

  private static func table(_ runs: Runs) -> [Character: UInt8] {
    var codes: [Character: UInt8] = [:]
    for (first, characters) in runs {
      for (offset, character) in characters.enumerated() {
        codes[character] = first &+ UInt8(truncatingIfNeeded: offset)
      }
    }
    return codes
  }
}
