import Units

/// How samples stand in the data of a WAV file, as its `fmt ` chunk tells (WAVEFORMATEX, WAVEFORMATEXTENSIBLE).
public struct PcmLayout: Hashable, Sendable, BitwiseCopyable {
  /// What a sample is; all have their lowest byte first.
  public enum Encoding: UInt8, Sendable, BitwiseCopyable {
    /// One byte, 128 being silence.
    case unsigned8
    /// Two bytes.
    case signed16
    /// Three bytes.
    case signed24
    /// Four bytes.
    case signed32
    /// Four bytes, IEEE 754; full scale is -1 … 1.
    case float32

    /// Bytes of a sample, 1 … 4.
    public var byteCount: Int {
      switch self {
      case .unsigned8: 1
      case .signed16: 2
      case .signed24: 3
      case .signed32, .float32: 4
      }
    }
  }

  /// What a sample is.
  public let encoding: Encoding
  /// 1 … 8.
  public let channels: Int
  /// 2,000 … 384,000 Hz.
  public let sampleRate: SampleRate
  /// Bytes of a frame, which is a sample of each channel; 1 … 32.
  public let frameByteCount: Int
  /// Which loudspeakers the channels are for, a bit each (`dwChannelMask`); 0 where that is not told.
  public let channelMask: UInt32

  /// The highest rate that is played, in hertz.
  private static let highestRate = 384_000
  /// So many bytes of a `fmt ` chunk tell all.
  public static let mostBytes = 40

  /// Reads what a `fmt ` chunk holds; nil where it is none, or of a form that is not played.
  ///
  /// A sample with fewer bits than its bytes have stands in the highest ones.
  public init?(_ fmt: Span<UInt8>) {
    guard fmt.count >= 16 else { return nil }
    let (tag, channels, bits) = (fmt.little(2, at: 0), fmt.little(2, at: 2), fmt.little(2, at: 14))
    let align = fmt.little(2, at: 12)
    guard (1...8).contains(channels), align % channels == 0 else { return nil }
    guard fmt.little(4, at: 4) <= Self.highestRate, let rate = SampleRate(ofSound: fmt.little(4, at: 4)) else {
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

  /// What stands in the first two bytes of a subformat's GUID, the others of which are the same for all.
  private static func subformat(_ fmt: Span<UInt8>) -> Int? {
    let tail: InlineArray<14, UInt8> = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    guard fmt.count >= mostBytes, tail.indices.allSatisfy({ fmt[26 + $0] == tail[$0] }) else { return nil }
    return fmt.little(2, at: 24)
  }
}

extension Span<UInt8> {
  /// The number of 1 … 4 bytes at `place`, the lowest first.
  fileprivate func little(_ byteCount: Int, at place: Int) -> Int {
    (0..<byteCount).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }
}
