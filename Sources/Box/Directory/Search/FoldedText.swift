/// A text folded for searches: lower case, without accents, with single spaces between words. Some scripts are
/// transliterated to Latin letters.
///
/// Greek and Cyrillic become Latin, Katakana becomes Hiragana, Hangul becomes its letters; other scripts stay. Digits
/// of all scripts become ASCII. Every other character ends a word.
public struct FoldedText: Hashable, Sendable, CustomStringConvertible {
  /// Maximum length of a word in bytes; the rest is ignored.
  static let maxWordLength = 64

  let bytes: [UInt8]

  /// Folds a text.
  public init(_ text: String) {
    var folding = Folding(text.utf8.count)
    for scalar in text.unicodeScalars { folding.append(scalar) }
    bytes = folding.bytes
  }

  /// True if the text contains no word.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The words with single spaces.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the first eight bytes as a number with the same sort order.
  static func key(_ bytes: [UInt8]) -> UInt64 {
    bytes.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(56 - 8 * $1.offset) }
  }

  var words: [ArraySlice<UInt8>] { bytes.split(separator: UInt8(ascii: " ")) }

  /// Calls `body` for each place where a match may start: each word, and each letter of a script without spaces.
  func eachBeginning(_ body: (ArraySlice<UInt8>) -> Void) {
    for word in words {
      body(word)
      guard word.contains(where: { $0 >= 0xE0 }) else { continue }
      for place in word.indices.dropFirst() where Self.standsAlone(word[place...]) { body(word[place...]) }
    }
  }

  /// Returns true if the text starts with a letter of a script without spaces: Thai to Khmer, Kana, Han.
  private static func standsAlone(_ text: ArraySlice<UInt8>) -> Bool {
    guard let lead = text.first, lead >= 0xE0, text.count >= 3 else { return false }
    let second = text[text.startIndex + 1]
    switch lead {
    case 0xE0: return (0xB8...0xBB).contains(second)
    case 0xE1: return (0x80...0x82).contains(second) || (0x9E...0x9F).contains(second)
    case 0xE3: return second >= 0x81
    case 0xE4...0xE9: return true
    case 0xF0: return second >= 0xA0
    default: return false
    }
  }

}

private struct Folding {
  private(set) var bytes: [UInt8] = []
  private var wordLength = 0
  private var isBetween = false

  init(_ count: Int) { bytes.reserveCapacity(count) }

  mutating func append(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    guard value >= 0x80 else { return append(ascii: UInt8(value)) }
    switch FoldingTable.shared.folded(value) {
    case .letters(var letters):
      while letters != 0 {
        append(ascii: UInt8(letters & 0xFF))
        letters >>= 8
      }
    case .scalars(let scalars): for value in scalars { append(letter: value) }
    case .nothing: break
    case .separator: isBetween = true
    case .unknown: append(unknown: scalar)
    }
  }

  private mutating func append(ascii byte: UInt8) {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): append(letter: UInt32(byte))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): append(letter: UInt32(byte | 0x20))
    default: isBetween = true
    }
  }

  private mutating func append(unknown scalar: Unicode.Scalar) {
    if (0xAC00...0xD7A3).contains(scalar.value) { return append(syllable: scalar.value - 0xAC00) }
    let properties = scalar.properties
    if let number = properties.numericValue, properties.numericType != .numeric, (0...9).contains(number) {
      return append(letter: UInt32(UInt8(ascii: "0")) + UInt32(number))
    }
    guard properties.isAlphabetic || properties.generalCategory.isMark || properties.numericType != nil else {
      isBetween = true
      return
    }
    let small = properties.lowercaseMapping.unicodeScalars
    if let first = small.first, first != scalar { append(first) } else { append(letter: scalar.value) }
  }

  /// Appends the letters of a Hangul syllable (Unicode, 3.12).
  private mutating func append(syllable: UInt32) {
    append(letter: 0x1100 + syllable / 588)
    append(letter: 0x1161 + syllable % 588 / 28)
    if syllable % 28 != 0 { append(letter: 0x11A7 + syllable % 28) }
  }

  private mutating func append(letter value: UInt32) {
    guard let scalar = Unicode.Scalar(value) else { return }
    if isBetween {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
      wordLength = 0
      isBetween = false
    }
    let units = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    guard wordLength + units.count <= FoldedText.maxWordLength else {
      // A letter was omitted because it was too long; omit all further letters of the word too.
      wordLength = FoldedText.maxWordLength
      return
    }
    bytes.append(contentsOf: units)
    wordLength += units.count
  }
}

extension Unicode.GeneralCategory {
  /// True if the scalar is a mark on the previous letter.
  fileprivate var isMark: Bool { self == .nonspacingMark || self == .spacingMark }
}
