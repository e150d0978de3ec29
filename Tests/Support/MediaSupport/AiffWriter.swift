/// Writes music as an AIFF file, or as AIFF-C with a compression type.
public struct AiffWriter: Sendable {
  /// Bits per sample: 16, 24 or 32; 64 for "fl64".
  public var bits = 16
  /// The compression type of AIFF-C, such as "sowt" or "fl32"; nil for AIFF.
  public var type: String?
  /// The text of the NAME chunk.
  public var title: String?
  /// True if all lengths are 0, as in a pipe.
  public var isPipe = false

  /// Creates a writer for a sample format.
  public init(bits: Int = 16, type: String? = nil, title: String? = nil, isPipe: Bool = false) {
    (self.bits, self.type, self.title, self.isPipe) = (bits, type, title, isPipe)
  }

  /// Returns the file, and the expected output of a 24-bit sink.
  public func file(_ music: Music) -> (bytes: [UInt8], pcm: [UInt8]) {
    let (data, pcm) = samples(music)
    // 80 bits: the biased exponent, then the significand, whose highest bit is set.
    let exponent = Int.bitWidth - 1 - music.rate.leadingZeroBitCount
    let rate = Self.big(16_383 + exponent, 2) + Self.big(music.rate << (31 - exponent), 4) + [0, 0, 0, 0]
    let common = Self.big(music.channels, 2) + Self.big(isPipe ? 0 : music.frameCount, 4) + Self.big(bits, 2) + rate
    let chunks =
      (type == nil ? [] : chunk("FVER", Self.big(0xA280_5140, 4)))
      + chunk("COMM", common + (type.map { Array($0.utf8) + [0, 0] } ?? []))
      + (title.map { chunk("NAME", Array($0.utf8)) } ?? [])
    let sound = [UInt8](repeating: 0, count: 8) + data
    let samples = isPipe ? Array("SSND".utf8) + [0, 0, 0, 0] + sound : chunk("SSND", sound)
    let whole = isPipe ? 0 : 4 + chunks.count + samples.count
    return (
      Array("FORM".utf8) + Self.big(whole, 4) + Array((type == nil ? "AIFF" : "AIFC").utf8) + chunks + samples, pcm
    )
  }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + Self.big(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }

  private func samples(_ music: Music) -> (data: [UInt8], pcm: [UInt8]) {
    switch type {
    case "fl32":
      return (music.samples.flatMap { Self.big(Int($0.bitPattern), 4) }, S24Samples.bytes(music.samples))
    case "fl64":
      let data = music.samples.flatMap { Self.big(Int(bitPattern: UInt(Double($0).bitPattern)), 8) }
      return (data, S24Samples.bytes(music.samples))
    default:
      let numbers = music.integers(bits)
      let data = numbers.flatMap {
        let bytes = Self.big(Int($0), bits / 8)
        return type == "sowt" ? bytes.reversed() : bytes
      }
      return (data, S24Samples.bytes(numbers, bits: bits))
    }
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
