import Units

/// The header of an ADTS frame: 7 bytes, or 9 with a CRC (ISO 13818-7 6.2).
public struct AdtsHeader: Hashable, Sendable, BitwiseCopyable {
  /// True for MPEG-2 AAC, false for MPEG-4 (the header's "ID" bit).
  public let isMpeg2: Bool
  /// The AAC object type minus one: 0 Main, 1 LC, 2 SSR, 3 LTP.
  public let profile: UInt8
  /// Index of the sample rate, 0 … 12.
  public let rateIndex: UInt8
  /// Sample rate of the AAC core; SBR may double the rate.
  public let sampleRate: SampleRate
  /// Channel configuration, 0 … 7.
  public let channelConfiguration: UInt8
  /// Frame length in bytes, including the header: 7 … 8,191.
  public let byteCount: Int
  /// Number of raw data blocks after the first, 0 … 3.
  public let extraBlockCount: UInt8
  /// True if the header ends with a 16-bit CRC.
  public let hasCRC: Bool

  /// Parses the first seven bytes of a header; nil if the syncword, the sample rate or the length is invalid.
  public init?(_ b0: UInt8, _ b1: UInt8, _ b2: UInt8, _ b3: UInt8, _ b4: UInt8, _ b5: UInt8, _ b6: UInt8) {
    guard b0 == 0xFF, b1 & 0xF6 == 0xF0 else { return nil }
    isMpeg2 = b1 & 8 != 0
    hasCRC = b1 & 1 == 0
    profile = b2 >> 6
    rateIndex = b2 >> 2 & 15
    guard Int(rateIndex) < Self.rates.count else { return nil }
    sampleRate = SampleRate(Self.rates[Int(rateIndex)])
    channelConfiguration = (b2 & 1) << 2 | b3 >> 6
    byteCount = Int(b3 & 3) << 11 | Int(b4) << 3 | Int(b5 >> 5)
    extraBlockCount = b6 & 3
    guard byteCount >= headerByteCount else { return nil }
  }

  /// Parses the header at `offset`; nil if the header is invalid or fewer than 7 bytes remain.
  public init?(_ bytes: Span<UInt8>, at offset: Int = 0) {
    guard offset >= 0, bytes.count >= 7, offset <= bytes.count - 7 else { return nil }
    self.init(
      bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3], bytes[offset + 4], bytes[offset + 5],
      bytes[offset + 6])
  }

  /// Header length in bytes: 7, or 9 with a CRC.
  public var headerByteCount: Int { hasCRC ? 9 : 7 }

  /// Number of channels; 0 if only the first element of the frame defines the channels (configuration 0).
  public var channels: UInt8 { channelConfiguration == 7 ? 8 : channelConfiguration }

  /// Samples per channel at `sampleRate`: 1,024 for each raw data block.
  public var samplesPerFrame: FrameCount { FrameCount(1024 * (Int(extraBlockCount) + 1)) }

  /// Exact duration of the frame.
  public var duration: StreamTime { StreamTime(frames: samplesPerFrame, at: sampleRate) }

  /// Returns true if both headers may belong to one stream: same version, profile, rate and channel configuration.
  public func agrees(with other: AdtsHeader) -> Bool {
    isMpeg2 == other.isMpeg2 && profile == other.profile && rateIndex == other.rateIndex
      && channelConfiguration == other.channelConfiguration
  }

  /// Sample rates in hertz, by index (ISO 14496-3 table 1.18).
  private static let rates: [Int32] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
  ]
}
