/// A code that shortens texts. A byte stands for a symbol of one to eight bytes; the byte 255 precedes a literal byte.
///
/// Names and addresses share many parts, such as "https://stream.", " Radio" and ".mp3". Coded texts thus need half the
/// space. Each text can be decoded separately (after Boncz, Neumann and Leis, "FSST", 2020).
struct TextCode {
  static let maxSymbols = 255
  /// Maximum length of a symbol in bytes.
  static let maxSymbolLength = 8
  static let escape: UInt8 = 255
  /// Bytes of a symbol in a file: its length, and eight bytes, padded.
  static let symbolSize = 1 + maxSymbolLength

  /// A symbol: its bytes as a number, the first byte lowest, and the number of bytes.
  struct Symbol: Hashable {
    let bytes: UInt64
    let count: Int

    /// Returns the two symbols joined, cut to `maxSymbolLength`.
    func followed(by other: Symbol) -> Symbol {
      let count = min(TextCode.maxSymbolLength, self.count + other.count)
      guard self.count < TextCode.maxSymbolLength else { return self }
      return Symbol(bytes: (bytes | other.bytes << UInt64(8 * self.count)) & Self.mask(count), count: count)
    }

    static func byte(_ byte: UInt8) -> Symbol { Symbol(bytes: UInt64(byte), count: 1) }

    static func mask(_ count: Int) -> UInt64 { count >= 8 ? .max : 1 << UInt64(8 * count) - 1 }
  }

  let symbols: [Symbol]
  /// The codes of the symbols with each first byte, longest symbol first.
  private let codes: [[UInt8]]

  /// Creates a code; symbols above the maximum are ignored.
  init(_ symbols: [Symbol]) {
    self.symbols = Array(symbols.prefix(Self.maxSymbols))
    var codes = [[UInt8]](repeating: [], count: 256)
    for (code, symbol) in self.symbols.enumerated() {
      codes[Int(symbol.bytes & 0xFF)].append(UInt8(code))
    }
    self.codes = codes.map { list in
      list.sorted { (symbols[Int($1)].count, $0) < (symbols[Int($0)].count, $1) }
    }
  }

  /// Returns the code of the longest symbol at a position of a text; nil if no symbol matches.
  func longestMatch(_ text: UnsafeRawBufferPointer, at place: Int) -> UInt8? {
    let list = codes[Int(text[place])]
    guard !list.isEmpty else { return nil }
    let left = min(Self.maxSymbolLength, text.count - place)
    var word: UInt64 = 0
    for index in 0..<left { word |= UInt64(text[place + index]) << UInt64(8 * index) }
    return list.first { code in
      let symbol = symbols[Int(code)]
      return symbol.count <= left && word & Symbol.mask(symbol.count) == symbol.bytes
    }
  }

  func encode(_ text: UnsafeRawBufferPointer, to coded: inout [UInt8]) {
    var place = 0
    while place < text.count {
      if let code = longestMatch(text, at: place) {
        coded.append(code)
        place += symbols[Int(code)].count
      } else {
        coded.append(Self.escape)
        coded.append(text[place])
        place += 1
      }
    }
  }

  /// Decodes a text with the symbols of a file; skips unknown codes. Returns at most `most` + 8 bytes.
  static func decode(
    _ coded: UnsafeRawBufferPointer, by symbols: UnsafeRawBufferPointer, most: Int
  ) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(min(most, coded.count * 2))
    var place = 0
    while place < coded.count, text.count <= most {
      let code = coded[place]
      place += 1
      if code == escape {
        guard place < coded.count else { break }
        text.append(coded[place])
        place += 1
        continue
      }
      let start = Int(code) * symbolSize
      guard start + symbolSize <= symbols.count else { continue }
      let count = min(maxSymbolLength, Int(symbols[start]))
      text.append(contentsOf: symbols[start + 1..<start + 1 + count])
    }
    return text
  }

  var bytes: [UInt8] {
    symbols.flatMap { symbol in
      [UInt8(symbol.count)]
        + (0..<Self.maxSymbolLength).map { UInt8(truncatingIfNeeded: symbol.bytes >> UInt64(8 * $0)) }
    }
  }
}
