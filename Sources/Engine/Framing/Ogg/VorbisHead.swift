import Blocks
import Units

/// The Vorbis identification header (Vorbis I, 4.2.2).
struct VorbisHead: Equatable {
  let channels: UInt8
  let sampleRate: SampleRate
  /// Samples of a short and a long block: powers of two, 64 … 8,192.
  private let shortBlock: Int
  private let longBlock: Int

  static let byteCount = 30

  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= Self.byteCount, bytes.matches("\u{1}vorbis"), bytes[29] & 1 == 1 else { return nil }
    var place = 7
    guard bytes.littleEndianNumber(4, at: &place) == 0, bytes[11] > 0 else { return nil }
    place = 12
    guard let hertz = bytes.littleEndianNumber(4, at: &place), let rate = SampleRate(ofSound: hertz) else { return nil }
    let (short, long) = (Int(bytes[28] & 15), Int(bytes[28] >> 4))
    guard short >= 6, short <= long, long <= 13 else { return nil }
    (channels, sampleRate) = (bytes[11], rate)
    (shortBlock, longBlock) = (1 << short, 1 << long)
  }

  func blockSize(_ packet: Span<UInt8>, _ setup: VorbisSetup) -> Int? {
    guard packet.count > 0, packet[0] & 1 == 0 else { return nil }
    // A mode number has at most 6 bits.
    let mode = Int(packet[0] >> 1) & (1 << setup.numberWidth - 1)
    guard mode < setup.areLong.count else { return nil }
    return setup.areLong[mode] ? longBlock : shortBlock
  }
}
