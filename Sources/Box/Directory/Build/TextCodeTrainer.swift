/// Finds the symbols that shorten texts most. Encodes a sample repeatedly, and joins symbols that are often neighbours.
struct TextCodeTrainer {
  private static let rounds = 6
  /// Number of units. A unit is a byte's value, or 256 plus the code of a symbol.
  private static let width = 512

  private let sample: [UInt8]
  private let ends: [Int]

  /// Stores the sample. `sample`: the bytes of some texts; `ends`: the end of each text.
  init(_ sample: [UInt8], ends: [Int]) {
    self.sample = sample
    self.ends = ends
  }

  func train() -> TextCode {
    var code = TextCode([])
    for _ in 0..<Self.rounds { code = improved(code) }
    return code
  }

  private func improved(_ code: TextCode) -> TextCode {
    var singles = [UInt32](repeating: 0, count: Self.width)
    var pairs = [UInt32](repeating: 0, count: Self.width * Self.width)
    sample.withUnsafeBytes { bytes in
      var start = 0
      for end in ends {
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        var (place, last): (Int, Int?) = (0, nil)
        while place < text.count {
          let found = code.longestMatch(text, at: place)
          let unit = found.map { 256 + Int($0) } ?? Int(text[place])
          singles[unit] += 1
          if let last { pairs[last * Self.width + unit] += 1 }
          last = unit
          place += found.map { code.symbols[Int($0)].count } ?? 1
        }
        start = end
      }
    }
    return TextCode(best(code, singles, pairs))
  }

  private func best(_ code: TextCode, _ singles: [UInt32], _ pairs: [UInt32]) -> [TextCode.Symbol] {
    func symbol(_ unit: Int) -> TextCode.Symbol { unit < 256 ? .byte(UInt8(unit)) : code.symbols[unit - 256] }
    var gains: [TextCode.Symbol: Int] = [:]
    let used = singles.indices.filter { singles[$0] > 0 }
    for unit in used {
      let one = symbol(unit)
      // A one-byte symbol counts double, because it also saves an escape byte.
      gains[one, default: 0] += Int(singles[unit]) * (one.count == 1 ? 2 : one.count)
      for other in used {
        // A rare pair may be missing in other texts.
        let count = Int(pairs[unit * Self.width + other])
        guard count > 4, one.count < TextCode.maxSymbolLength else { continue }
        let both = one.followed(by: symbol(other))
        gains[both, default: 0] += count * both.count
      }
    }
    return gains.sorted { ($1.value, $0.key.bytes, $0.key.count) < ($0.value, $1.key.bytes, $1.key.count) }
      .prefix(TextCode.maxSymbols).map(\.key)
  }
}
