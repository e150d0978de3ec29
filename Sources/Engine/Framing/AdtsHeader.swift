import Units

/// The seven bytes, nine with a CRC, before every ADTS frame of AAC (ISO 13818-7 6.2).
public struct AdtsHeader: Hashable, Sendable, BitwiseCopyable {
  /// The header's "ID" bit: MPEG-2 AAC, else MPEG-4.
  public let isMpeg2: Bool
  /// The AAC object type minus one: 0 Main, 1 LC, 2 SSR, 3 LTP.
  public let profile: UInt8
  /// The index of the sample rate, 0 … 12.
  public let rateIndex: UInt8
  /// The sample rate of the AAC core; SBR may double it.
  public let sampleRate: SampleRate
  /// The channel configuration, 0 … 7.
  public let channelConfiguration: UInt8
  /// Bytes of the frame, header included: 7 … 8,191.
  public let byteCount: Int
  /// Raw data blocks after the first, 0 … 3.
  public let extraBlockCount: UInt8
  /// Sixteen bits of CRC end the header.
  public let hasCRC: Bool

  /// A header from its first seven bytes; nil where they are none, the rate is reserved, or the length holds less
  /// than the header itself.
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

  /// The header at `offset`; nil where there is none, or too few bytes for one.
  public init?(_ bytes: Span<UInt8>, at offset: Int = 0) {
    guard offset >= 0, bytes.count >= 7, offset <= bytes.count - 7 else { return nil }
    self.init(
      bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3], bytes[offset + 4], bytes[offset + 5],
      bytes[offset + 6])
  }

  /// Bytes of the header: 7, or 9 with a CRC.
  public var headerByteCount: Int { hasCRC ? 9 : 7 }

  /// Channels: 8 for configuration 7, and 0 where the first element must tell.
  public var channels: UInt8 { channelConfiguration == 7 ? 8 : channelConfiguration }

  /// Samples of each channel at the header's rate: 1,024 for each raw data block.
  public var samplesPerFrame: FrameCount { FrameCount(1024 * (Int(extraBlockCount) + 1)) }

  /// How long the frame sounds, exact.
  public var duration: StreamTime { StreamTime(frames: samplesPerFrame, at: sampleRate) }

  /// Whether both may belong to one stream: version, profile, rate and channel configuration are the same.
  public func agrees(with other: AdtsHeader) -> Bool {
    isMpeg2 == other.isMpeg2 && profile == other.profile && rateIndex == other.rateIndex
      && channelConfiguration == other.channelConfiguration
  }

  /// ISO 14496-3 table 1.18.
  private static let rates: [Int32] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
  ]
}
