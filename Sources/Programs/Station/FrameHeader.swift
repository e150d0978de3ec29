import Blocks
import Units

/// The header of an MPEG audio frame (ISO 11172-3 § 2.4.1.3, 13818-3) or ADTS frame (ISO 13818-7 § 6.2).
struct FrameHeader {
  let format: PacketFormat
  /// The frame's length including the header, more than 7.
  let byteCount: Int
  let duration: StreamTime

  /// Parses the header at `offset`; nil if it is invalid or free format.
  init?(_ bytes: [UInt8], at offset: Int) {
    guard offset >= 0, bytes.count - offset >= 7, bytes[offset] == 0xFF else { return nil }
    let (version, layer) = (bytes[offset + 1] >> 3 & 3, bytes[offset + 1] >> 1 & 3)
    if bytes[offset + 1] & 0xF6 == 0xF0 {
      self.init(adts: bytes, at: offset)
    } else if bytes[offset + 1] & 0xE0 == 0xE0, version != 1, layer != 0 {
      self.init(mpeg: bytes, at: offset, version: version, layer: layer)
    } else {
      return nil
    }
  }

  private init?(mpeg bytes: [UInt8], at offset: Int, version: UInt8, layer: UInt8) {
    let (rateIndex, speedIndex) = (Int(bytes[offset + 2] >> 2 & 3), Int(bytes[offset + 2] >> 4))
    guard rateIndex < 3, speedIndex > 0, speedIndex < 15 else { return nil }
    let isVersion1 = version == 3
    let rate = [44_100, 48_000, 32_000][rateIndex] >> (isVersion1 ? 0 : version == 2 ? 1 : 2)
    let padding = Int(bytes[offset + 2] >> 1 & 1)
    let codec: Codec
    let samples: Int
    let bitRates: [Int]
    switch layer {
    case 3: (codec, samples, bitRates) = (.mpegLayer1, 384, isVersion1 ? Self.layer1 : Self.lowLayer1)
    case 2: (codec, samples, bitRates) = (.mpegLayer2, 1152, isVersion1 ? Self.layer2 : Self.low)
    default: (codec, samples, bitRates) = (.mpegLayer3, isVersion1 ? 1152 : 576, isVersion1 ? Self.layer3 : Self.low)
    }
    let bitRate = bitRates[speedIndex - 1] * 1000
    byteCount =
      codec == .mpegLayer1 ? (12 * bitRate / rate + padding) * 4 : samples / 8 * bitRate / rate + padding
    guard let sampleRate = SampleRate(checking: rate) else { return nil }
    duration = StreamTime(frames: FrameCount(samples), at: sampleRate)
    format = PacketFormat(codec: codec, sampleRate: sampleRate, channels: bytes[offset + 3] >> 6 == 3 ? 1 : 2)
  }

  private init?(adts bytes: [UInt8], at offset: Int) {
    let rateIndex = Int(bytes[offset + 2] >> 2 & 15)
    guard rateIndex < Self.adtsRates.count, let sampleRate = SampleRate(checking: Self.adtsRates[rateIndex])
    else { return nil }
    byteCount = Int(bytes[offset + 3] & 3) << 11 | Int(bytes[offset + 4]) << 3 | Int(bytes[offset + 5] >> 5)
    guard byteCount > 7 else { return nil }
    duration = StreamTime(frames: FrameCount(1024 * (Int(bytes[offset + 6] & 3) + 1)), at: sampleRate)
    format = PacketFormat(
      codec: .aac, sampleRate: sampleRate, channels: bytes[offset + 2] & 1 << 2 | bytes[offset + 3] >> 6,
      profile: bytes[offset + 2] >> 6)
  }

  /// Returns true if codec and sample rate match, as in all frames of a stream.
  func agrees(with other: PacketFormat) -> Bool {
    format.codec == other.codec && format.sampleRate == other.sampleRate
  }

  // kbit/s by bit_rate_index 1 … 14; the low tables are for half and quarter sample rates.
  private static let layer1 = [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
  private static let layer2 = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
  private static let layer3 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  private static let lowLayer1 = [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
  private static let low = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  private static let adtsRates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
  ]
}
