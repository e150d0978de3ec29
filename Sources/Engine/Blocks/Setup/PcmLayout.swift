import Units

/// The sample layout of a WAV file from its `fmt ` chunk (WAVEFORMATEX, WAVEFORMATEXTENSIBLE).
public struct PcmLayout: Hashable, Sendable, BitwiseCopyable {
  /// A sample encoding, little-endian.
  public enum Encoding: UInt8, Sendable, BitwiseCopyable {
    /// One byte; 128 is silence.
    case unsigned8
    /// Two bytes.
    case signed16
    /// Three bytes.
    case signed24
    /// Four bytes.
    case signed32
    /// Four bytes, IEEE 754; full scale is -1 … 1.
    case float32

    /// Bytes per sample, 1 … 4.
    public var byteCount: Int {
      switch self {
      case .unsigned8: 1
      case .signed16: 2
      case .signed24: 3
      case .signed32, .float32: 4
      }
    }
  }

  /// The sample encoding.
  public let encoding: Encoding
  /// Channels, 1 … 8.
  public let channels: Int
  /// The sample rate, 2,000 … 384,000 Hz.
  public let sampleRate: SampleRate
  /// Bytes per frame, one sample for each channel; 1 … 32.
  public let frameByteCount: Int
  /// The loudspeakers of the channels, one bit each (`dwChannelMask`); 0 if unknown.
  public let channelMask: UInt32

  /// Maximum accepted rate, in hertz.
  private static let maxRate = 384_000
  /// Maximum number of bytes that the parser uses from a `fmt ` chunk.
  public static let maxBytes = 40

  /// Parses a `fmt ` chunk; nil if it is invalid or unsupported.
  ///
  /// A sample may have fewer bits than its bytes; the bits are then the highest ones.
  public init?(_ fmt: Span<UInt8>) {
    guard fmt.count >= 16 else { return nil }
    let (tag, channels, bits) = (fmt.little(2, at: 0), fmt.little(2, at: 2), fmt.little(2, at: 14))
    let align = fmt.little(2, at: 12)
    guard (1...8).contains(channels), align % channels == 0 else { return nil }
    guard fmt.little(4, at: 4) <= Self.maxRate, let rate = SampleRate(ofSound: fmt.little(4, at: 4)) else {
      return nil
    }
    guard let form = tag == 0xFFFE ? Self.subformat(fmt) : tag else { return nil }
    switch (form, align / channels) {
    case (1, 1): encoding = .unsigned8
    case (1, 2): encoding = .signed16
    case (1, 3): encoding = .signed24
    case (1, 4): encoding = .signed32
    case (3, 4): encoding = .float32
    default: return nil
    }
    guard (bits + 7) / 8 == encoding.byteCount else { return nil }
    (self.channels, sampleRate, frameByteCount) = (channels, rate, align)
    channelMask = tag == 0xFFFE ? UInt32(fmt.little(4, at: 20)) : 0
  }

  /// Returns the format tag in the first two bytes of a subformat's GUID; nil if the other 14 are not standard.
  private static func subformat(_ fmt: Span<UInt8>) -> Int? {
    let tail: InlineArray<14, UInt8> = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    guard fmt.count >= maxBytes, tail.indices.allSatisfy({ fmt[26 + $0] == tail[$0] }) else { return nil }
    return fmt.little(2, at: 24)
  }
}

extension Span<UInt8> {
  /// Reads a little-endian number of 1 … 4 bytes.
  fileprivate func little(_ byteCount: Int, at place: Int) -> Int {
    (0..<byteCount).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }
}
