import Blocks
import Units

/// The four-byte header of an MPEG audio frame (ISO 11172-3 2.4.2.3, ISO 13818-3 2.4.2.3).
public struct MpegHeader: Hashable, Sendable, BitwiseCopyable {
  /// Version bits of the header; 2.5 is Fraunhofer's extension to the lowest sample rates.
  public enum Version: UInt8, Sendable, BitwiseCopyable {
    /// MPEG-2.5: 8,000 … 12,000 Hz.
    case mpeg25 = 0
    /// MPEG-2: 16,000 … 24,000 Hz.
    case mpeg2 = 2
    /// MPEG-1: 32,000 … 48,000 Hz.
    case mpeg1 = 3
  }

  /// Number of the layer.
  public enum Layer: UInt8, Sendable, BitwiseCopyable {
    case one = 1
    case two = 2
    /// Layer III, "MP3".
    case three = 3
  }

  /// Header length in bytes.
  public static var byteCount: Int { 4 }

  /// The version.
  public let version: Version
  /// The layer.
  public let layer: Layer
  /// The sample rate.
  public let sampleRate: SampleRate
  /// Bit rate; nil for "free format", in which the header does not state the frame length.
  public let bitRate: BitRate?
  /// Number of channels, 1 or 2.
  public let channels: UInt8
  /// True if a 16-bit CRC follows the header.
  public let hasCRC: Bool
  /// True if padding makes the frame one slot longer.
  public let isPadded: Bool

  /// Parses the four bytes of a header; nil if the syncword is missing or version, layer, rate or bit rate are
  /// reserved. Accepts the reserved emphasis: some streams use it, and all decoders ignore it.
  public init?(_ b0: UInt8, _ b1: UInt8, _ b2: UInt8, _ b3: UInt8) {
    guard b0 == 0xFF, b1 & 0xE0 == 0xE0,
      let version = Version(rawValue: b1 >> 3 & 3),
      let layer = Layer(rawValue: 4 - (b1 >> 1 & 3)),
      b2 >> 4 < 15, b2 >> 2 & 3 < 3
    else { return nil }
    self.version = version
    self.layer = layer
    sampleRate = SampleRate(Self.hertz(version, index: b2 >> 2 & 3))
    let kilobits = Self.kilobits(version, layer, index: Int(b2 >> 4))
    bitRate = kilobits == 0 ? nil : BitRate(bitsPerSecond: kilobits * 1000)
    channels = b3 >> 6 == 3 ? 1 : 2
    hasCRC = b1 & 1 == 0
    isPadded = b2 >> 1 & 1 == 1
  }

  /// Parses the header at `offset`; nil if the header is invalid or fewer than 4 bytes remain.
  public init?(_ bytes: Span<UInt8>, at offset: Int = 0) {
    guard offset >= 0, bytes.count >= Self.byteCount, offset <= bytes.count - Self.byteCount else { return nil }
    self.init(bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3])
  }

  /// The codec.
  public var codec: Codec {
    switch layer {
    case .one: .mpegLayer1
    case .two: .mpegLayer2
    case .three: .mpegLayer3
    }
  }

  /// Samples per channel in one frame: 384, 576 or 1,152.
  public var samplesPerFrame: FrameCount {
    switch layer {
    case .one: FrameCount(384)
    case .two: FrameCount(1152)
    case .three: FrameCount(version == .mpeg1 ? 1152 : 576)
    }
  }

  /// Bytes added by padding: 4 in Layer I, otherwise 1.
  public var slotByteCount: Int { layer == .one ? 4 : 1 }

  /// Frame length in bytes, including the header; nil in free format.
  public var byteCount: Int? {
    guard let bitRate else { return nil }
    let bitsPerSlot = 8 * slotByteCount
    let slots = samplesPerFrame.value / bitsPerSlot * bitRate.bitsPerSecond / Int(sampleRate.hertz)
    return (slots + (isPadded ? 1 : 0)) * slotByteCount
  }

  /// Returns true if both headers may belong to one stream: same version, layer, sample rate and use of free format.
  public func agrees(with other: MpegHeader) -> Bool {
    version == other.version && layer == other.layer && sampleRate == other.sampleRate
      && (bitRate == nil) == (other.bitRate == nil)
  }

  private static func hertz(_ version: Version, index: UInt8) -> Int32 {
    let hertz: Int32 =
      switch index {
      case 0: 44_100
      case 1: 48_000
      default: 32_000
      }
    return switch version {
    case .mpeg1: hertz
    case .mpeg2: hertz / 2
    case .mpeg25: hertz / 4
    }
  }

  /// Bit rates in kbit/s (ISO 11172-3 2.4.2.3, ISO 13818-3 2.4.2.3); version 2.5 shares the tables of version 2.
  private static func kilobits(_ version: Version, _ layer: Layer, index: Int) -> Int {
    switch (version, layer) {
    case (.mpeg1, .one): index * 32
    case (.mpeg1, .two): Int(mpeg1Layer2[index])
    case (.mpeg1, .three): Int(mpeg1Layer3[index])
    case (_, .one): Int(mpeg2Layer1[index])
    default: Int(mpeg2Layer2And3[index])
    }
  }

  private static let mpeg1Layer2: [UInt16] = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
  private static let mpeg1Layer3: [UInt16] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  private static let mpeg2Layer1: [UInt16] = [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
  private static let mpeg2Layer2And3: [UInt16] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}
