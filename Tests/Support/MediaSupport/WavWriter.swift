/// Writes music as a WAV file.
public struct WavWriter: Sendable {
  /// Bits per sample: 16, 24 or 32.
  public var bits = 16
  /// True if samples are 32-bit floating-point numbers.
  public var isFloat = false
  /// True if the format chunk is a WAVE_FORMAT_EXTENSIBLE.
  public var isExtensible = false
  /// The size of the audio in the header, in bytes; nil for the real size.
  public var declaredByteCount: UInt32?

  /// Creates a writer for a sample format.
  public init(bits: Int = 16, isFloat: Bool = false, isExtensible: Bool = false, told: UInt32? = nil) {
    (self.bits, self.isFloat, self.isExtensible, declaredByteCount) = (bits, isFloat, isExtensible, told)
  }

  /// Returns the file, and the expected output of a 24-bit sink.
  public func file(_ music: Music) -> (bytes: [UInt8], pcm: [UInt8]) {
    let (data, pcm) = samples(music)
    let frame = music.channels * bits / 8
    var format = Self.little(isExtensible ? 0xFFFE : isFloat ? 3 : 1, 2) + Self.little(music.channels, 2)
    format += Self.little(music.rate, 4) + Self.little(music.rate * frame, 4) + Self.little(frame, 2)
    format += Self.little(bits, 2)
    if isExtensible {
      // Valid bits, channel mask, and the format with the rest of its GUID.
      format += Self.little(22, 2) + Self.little(bits, 2) + Self.little(3, 4) + Self.little(isFloat ? 3 : 1, 2)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    let told = declaredByteCount.map { Int($0) } ?? data.count
    let whole = declaredByteCount == nil ? 4 + 8 + format.count + 8 + data.count : told
    let head = Array("RIFF".utf8) + Self.little(whole, 4) + Array("WAVE".utf8)
    let chunks = Array("fmt ".utf8) + Self.little(format.count, 4) + format + Array("data".utf8) + Self.little(told, 4)
    return (head + chunks + data, pcm)
  }

  private func samples(_ music: Music) -> (data: [UInt8], pcm: [UInt8]) {
    guard !isFloat else {
      return (music.samples.flatMap { Self.little(Int($0.bitPattern), 4) }, S24Samples.bytes(music.samples))
    }
    let numbers = music.integers(bits)
    return (numbers.flatMap { Self.little(Int($0), bits / 8) }, S24Samples.bytes(numbers, bits: bits))
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
