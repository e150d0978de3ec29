/// Sets text in the cells of a display: the ROM's characters, else custom letters, else ASCII letters.
///
/// Characters that cannot be written, such as emoji and other scripts, are replaced by one blank between their
/// neighbours. An unknown letter of Latin, Greek or Cyrillic becomes a question mark, so that the rest of its word
/// stays readable. Control and direction characters are dropped.
public struct Typesetter: Sendable {
  /// The display's ROM.
  public let rom: CharacterRom

  /// Maximum number of cells.
  static let limit = 512
  /// Maximum number of characters read, writable or not.
  private static let inputLimit = 4_096

  /// Creates a typesetter for displays with this ROM.
  public init(rom: CharacterRom) { self.rom = rom }

  /// Returns at most 512 cells; empty if the text has letters but none can be written.
  public func cells(_ text: String) -> [Cell] { AsciiCells.cells(text, rom: rom) ?? composed(text) }

  /// True if `cells` returns cells.
  func canSet(_ text: String) -> Bool {
    // Each printable ASCII character has a cell or a letter.
    !text.isEmpty && (text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } || !cells(text).isEmpty)
  }

  /// Sets text character by character.
  func composed(_ text: String) -> [Cell] {
    var cells: [Cell] = []
    var (isCut, isGap) = (false, false)
    for character in text.prefix(Self.inputLimit) {
      guard cells.count < Self.limit else { break }
      if isGap, character.isWhitespace { continue }
      let count = cells.count
      if !set(character, into: &cells) {
        (isCut, isGap) = (true, true)
      } else if isGap, cells.count > count {
        if count > 0, cells[count - 1] != .blank { cells.insert(.blank, at: count) }
        isGap = false
      }
    }
    if isCut {
      while cells.last == .blank { cells.removeLast() }
      if !cells.contains(where: \.isReadable) { return [] }
    }
    return cells.count > Self.limit ? Array(cells.prefix(Self.limit)) : cells
  }

  /// A custom shape, or the ROM's character if available.
  func cell(_ glyph: Glyph) -> Cell {
    glyph.code(in: rom).map { .rom($0, glyph.character) } ?? .glyph(glyph)
  }

  /// Sets a character; false if it is visible but omitted.
  private func set(_ character: Character, into cells: inout [Cell]) -> Bool {
    if set(known: character, into: &cells) { return true }
    let scalars = character.unicodeScalars
    // An unknown letter with marks, or an emoji of several scalars: each scalar alone, without the marks.
    var (isKnown, isSeen, isLetter) = (false, false, false)
    for scalar in scalars where !Self.isUnseen(scalar) {
      isSeen = true
      isLetter = isLetter || Self.isLetter(scalar)
      if scalars.count > 1 { isKnown = set(known: Character(scalar), into: &cells) || isKnown }
    }
    if isLetter, !isKnown { put("?", into: &cells) }
    return isKnown || isLetter || !isSeen
  }

  /// True for a letter of Latin, Greek or Cyrillic, which is never omitted.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xC0...0x2AF, 0x370...0x52F, 0x1C80...0x1C8F, 0x1D00...0x1DBF, 0x1E00...0x1FFF, 0x2C60...0x2C7F,
      0xA720...0xA7FF:
      scalar.properties.isAlphabetic
    default: false
    }
  }

  private func set(known character: Character, into cells: inout [Cell]) -> Bool {
    if character.isWhitespace {
      cells.append(.blank)
    } else if Transliteration.isForeign(character), let text = Transliteration.table[character] {
      put(text, into: &cells)
    } else if let code = rom.code(for: character) {
      cells.append(.rom(code, narrow(code, character)))
    } else if character.isASCII {
      // Custom letters are never ASCII; their large tables stay unused.
      guard let text = Transliteration.table[character] else { return setEastern(character, into: &cells) }
      put(text, into: &cells)
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

  /// Sets full-width ASCII, and kana if the ROM has them.
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

  /// Kana on a display have half the width of printed kana, as on a terminal.
  private func narrow(_ code: UInt8, _ character: Character) -> Character {
    guard rom == .a00, (0xA1...0xDF).contains(code), (character.unicodeScalars.first?.value ?? 0) >= 0x3000 else {
      return character
    }
    return Unicode.Scalar(0xFF61 - 0xA1 + UInt32(code)).map(Character.init) ?? character
  }

  private static func narrowKana(_ scalar: UInt32) -> UInt8? {
    (0xFF61...0xFF9F).contains(scalar) ? UInt8(truncatingIfNeeded: scalar - 0xFF61 + 0xA1) : nil
  }

  /// Kana with a voicing mark: the display needs a second cell for the mark.
  private static let voicedKana: [Character: (Character, UInt8)] = {
    var table: [Character: (Character, UInt8)] = [:]
    for base in "カキクケコサシスセソタチツテトハヒフヘホウ" {
      for (mark, code) in [("\u{3099}", UInt8(0xDE)), ("\u{309A}", 0xDF)] {
        if let voiced = (String(base) + mark).first { table[voiced] = (base, code) }
      }
    }
    return table
  }()

  /// Isolated marks, and characters that must never reach a display.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .nonspacingMark,
      .enclosingMark, .spacingMark:
      true
    default: scalar.properties.isVariationSelector || scalar.properties.isEmojiModifier
    }
  }
}
