/// Sets text in the cells of a display: the ROM's own characters where it has them, letters drawn by us, else the
/// letters of ASCII; a question mark for what cannot be written so. Control and direction characters leave no trace.
public struct Typesetter: Sendable {
  /// The display's ROM.
  public let rom: CharacterRom

  /// Longer text is cut.
  static let limit = 512

  /// For a display with this ROM.
  public init(rom: CharacterRom) { self.rom = rom }

  /// The cells of a text, 512 at most.
  public func cells(_ text: String) -> [Cell] {
    var cells: [Cell] = []
    for character in text {
      guard cells.count < Self.limit else { break }
      set(character, into: &cells)
    }
    return cells.count > Self.limit ? Array(cells.prefix(Self.limit)) : cells
  }

  /// One of our own shapes, or the ROM's where it has it.
  func cell(_ glyph: Glyph) -> Cell {
    rom.code(for: glyph.character).map { .rom($0, glyph.character) } ?? .glyph(glyph)
  }

  private func set(_ character: Character, into cells: inout [Cell]) {
    if set(known: character, into: &cells) { return }
    let scalars = character.unicodeScalars
    // A letter with marks that nobody knows, or an emoji of several: scalar by scalar, without the marks.
    var isKnown = false
    var isSeen = false
    for scalar in scalars where !Self.isUnseen(scalar) {
      isSeen = true
      if scalars.count > 1 { isKnown = set(known: Character(scalar), into: &cells) || isKnown }
    }
    if isSeen, !isKnown { put("?", into: &cells) }
  }

  private func set(known character: Character, into cells: inout [Cell]) -> Bool {
    if character.isWhitespace {
      cells.append(.blank)
    } else if Transliteration.isForeign(character), let text = Transliteration.table[character] {
      put(text, into: &cells)
    } else if let code = rom.code(for: character) {
      cells.append(.rom(code, narrow(code, character)))
    } else if let glyph = LetterShapes.glyphs[character] {
      cells.append(.glyph(glyph))
    } else if let base = LetterShapes.bases[character] {
      put(String(base), into: &cells)
    } else if let text = Transliteration.table[character] {
      put(text, into: &cells)
    } else {
      return setEastern(character, into: &cells)
    }
    return true
  }

  /// Wide forms of ASCII, and kana where the ROM has it.
  private func setEastern(_ character: Character, into cells: inout [Cell]) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first?.value else { return false }
    let plain: UInt32? =
      switch first {
      case 0xFF01...0xFF5E: first - 0xFEE0
      case 0x3041...0x3096 where rom == .a00: first + 0x60
      default: nil
      }
    if let plain = plain.flatMap(Unicode.Scalar.init) { return set(known: Character(plain), into: &cells) }
    guard rom == .a00 else { return false }
    if let code = Self.narrowKana(first) {
      cells.append(.rom(code, character))
      return true
    }
    guard let (base, mark) = Self.voicedKana[character], let code = rom.code(for: base) else { return false }
    cells.append(.rom(code, narrow(code, base)))
    cells.append(.rom(mark, narrow(mark, base)))
    return true
  }

  private func put(_ text: String, into cells: inout [Cell]) {
    for written in text { cells.append(rom.code(for: written).map { .rom($0, written) } ?? .rom(0x3F, "?")) }
  }

  /// Kana on a display are half as wide as in print; so are they on a terminal.
  private func narrow(_ code: UInt8, _ character: Character) -> Character {
    guard rom == .a00, (0xA1...0xDF).contains(code), (character.unicodeScalars.first?.value ?? 0) >= 0x3000 else {
      return character
    }
    return Unicode.Scalar(0xFF61 - 0xA1 + UInt32(code)).map(Character.init) ?? character
  }

  private static func narrowKana(_ scalar: UInt32) -> UInt8? {
    (0xFF61...0xFF9F).contains(scalar) ? UInt8(truncatingIfNeeded: scalar - 0xFF61 + 0xA1) : nil
  }

  /// Kana with a voicing mark: the display writes the mark in a cell of its own.
  private static let voicedKana: [Character: (Character, UInt8)] = {
    var table: [Character: (Character, UInt8)] = [:]
    for base in "カキクケコサシスセソタチツテトハヒフヘホウ" {
      for (mark, code) in [("\u{3099}", UInt8(0xDE)), ("\u{309A}", 0xDF)] {
        if let voiced = (String(base) + mark).first { table[voiced] = (base, code) }
      }
    }
    return table
  }()

  /// Marks without a letter, and what must never reach a display.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .nonspacingMark,
      .enclosingMark, .spacingMark:
      true
    default: scalar.properties.isVariationSelector || scalar.properties.isEmojiModifier
    }
  }
}
