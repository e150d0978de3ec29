import Units

/// The sample layout of a WAV file from its `fmt ` chunk (WAVEFORMATEX, WAVEFORMATEXTENSIBLE), or of an AIFF file from
/// its COMM chunk.
public struct PcmLayout: Hashable, Sendable, BitwiseCopyable {
  /// A sample encoding.
  public enum Encoding: UInt8, Sendable, BitwiseCopyable {
    /// One byte; 128 is silence.
    case unsigned8
    /// One byte.
    case signed8
    /// Two bytes.
    case signed16
    /// Three bytes.
    case signed24
    /// Four bytes.
    case signed32
    /// Four bytes, IEEE 754; full scale is -1 … 1.
    case float32
    /// Eight bytes, IEEE 754; full scale is -1 … 1.
    case float64

    /// Bytes per sample, 1 … 8.
    public var byteCount: Int {
      switch self {
      case .unsigned8, .signed8: 1
      case .signed16: 2
      case .signed24: 3
      case .signed32, .float32: 4
      case .float64: 8
      }
    }
  }

  /// The sample encoding.
  public let encoding: Encoding
  /// True if a sample's first byte is its highest.
  public let isBigEndian: Bool
  /// Channels, 1 … 8.
  public let channels: Int
  /// The sample rate, 2,000 … 384,000 Hz.
  public let sampleRate: SampleRate
  /// Bytes per frame, one sample for each channel; 1 … 64.
  public let frameByteCount: Int
  /// The loudspeakers of the channels, one bit each (`dwChannelMask`); 0 if unknown.
  public let channelMask: UInt32

  /// Maximum accepted rate, in hertz.
  private static let maxRate = 384_000
  /// Maximum number of bytes that the parser uses from a `fmt ` chunk.
  public static let maxBytes = 40

  /// Parses the content of a `fmt ` chunk, or of a COMM chunk after its name; nil if it is invalid or unsupported.
  ///
  /// A sample may have fewer bits than its bytes; the bits are then the highest ones.
  public init?(_ header: Span<UInt8>) {
    if header.count >= 4, header.big(4, at: 0) == 0x434F_4D4D {
      self.init(common: header.extracting(4...))
    } else {
      self.init(format: header)
    }
  }

  private init?(format fmt: Span<UInt8>) {
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
    isBigEndian = false
    (self.channels, sampleRate, frameByteCount) = (channels, rate, align)
    channelMask = tag == 0xFFFE ? UInt32(fmt.little(4, at: 20)) : 0
  }

  /// Parses a COMM chunk; all types but AIFF-C's have 18 bytes.
  private init?(common: Span<UInt8>) {
    guard common.count >= 18, let rate = Self.extendedRate(common.big(2, at: 8), common.big(4, at: 10)) else {
      return nil
    }
    let type = common.count < 22 ? "NONE" : String(decoding: (18..<22).map { common[$0] }, as: UTF8.self)
    guard let encoding = Self.encoding(type, byteCount: (common.big(2, at: 6) + 7) / 8) else { return nil }
    self.encoding = encoding
    isBigEndian = !["sowt", "42ni", "23ni"].contains(type)
    channels = common.big(2, at: 0)
    guard (1...8).contains(channels) else { return nil }
    sampleRate = rate
    frameByteCount = channels * encoding.byteCount
    channelMask = 0
  }

  /// Returns the encoding of a compression type; nil for codecs. `byteCount`: size of a sample.
  private static func encoding(_ type: String, byteCount: Int) -> Encoding? {
    switch (type, byteCount) {
    case ("NONE", 1), ("twos", 1), ("sowt", 1): .signed8
    case ("NONE", 2), ("twos", 2), ("sowt", 2): .signed16
    case ("NONE", 3), ("twos", 3), ("sowt", 3), ("in24", _), ("42ni", _): .signed24
    case ("NONE", 4), ("twos", 4), ("sowt", 4), ("in32", _), ("23ni", _): .signed32
    case ("raw ", 1): .unsigned8
    case ("fl32", _), ("FL32", _): .float32
    case ("fl64", _), ("FL64", _): .float64
    default: nil
    }
  }

  /// Rounds a floating-point rate of 80 bits: sign, 15 bits of exponent, 64 bits of significand. Nil unless it is a
  /// supported rate; 32 bits of the significand decide that.
  private static func extendedRate(_ exponent: Int, _ significand: Int) -> SampleRate? {
    // The exponent of 1 is 16,383; rates are below 2¹⁹.
    let shift = 31 - (exponent - 16_383)
    guard (12...31).contains(shift) else { return nil }
    let hertz = (significand >> (shift - 1) + 1) >> 1
    return hertz <= maxRate ? SampleRate(ofSound: hertz) : nil
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

  /// Reads a big-endian number of 1 … 4 bytes.
  fileprivate func big(_ byteCount: Int, at place: Int) -> Int {
    (0..<byteCount).reduce(0) { $0 << 8 | Int(self[place + $1]) }
  }
}
