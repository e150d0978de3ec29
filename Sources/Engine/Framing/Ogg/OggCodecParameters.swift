import Blocks
import Units

enum OggCodecParameters: Equatable {
  case vorbis(VorbisHead, VorbisSetup)
  case opus(OpusHead)
  case flac(FlacStreamInfo)

  enum Measure: Equatable, BitwiseCopyable {
    case audio(Int)
    /// An empty packet or a repeated header.
    case nothing
    case damage
  }

  var format: PacketFormat {
    switch self {
    case .vorbis(let head, _): PacketFormat(codec: .vorbis, sampleRate: head.sampleRate, channels: head.channels)
    case .opus(let head): PacketFormat(codec: .opus, sampleRate: SampleRate(48_000), channels: head.channels)
    case .flac(let info):
      PacketFormat(codec: .flac, sampleRate: info.sampleRate, channels: UInt8(clamping: info.channels))
    }
  }

  var preSkip: Int { if case .opus(let head) = self { head.preSkip } else { 0 } }

  /// True if a granule smaller than the frame count cuts frames off at the start of the stream (Vorbis).
  var allowsCutHead: Bool { if case .vorbis = self { true } else { false } }

  /// Measures a packet. `block`: block size of the previous Vorbis packet, in samples; nil after a loss.
  func measure(_ packet: Span<UInt8>, after block: inout Int?) -> Measure {
    switch self {
    case .vorbis(let head, let setup):
      guard packet.count > 0, packet[0] & 1 == 0 else { return .nothing }
      guard let size = head.blockSize(packet, setup) else { return .damage }
      let frames = block.map { ($0 + size) / 4 } ?? 0
      block = size
      return .audio(frames)
    case .opus(let head):
      if packet.matches("OpusHead") || packet.matches("OpusTags") { return .nothing }
      return head.frames(packet).map { .audio($0) } ?? .damage
    case .flac:
      guard packet.count > 0, packet[0] == 0xFF else { return .nothing }
      return FlacFrameHeader(packet).map { .audio($0.blockSize) } ?? .damage
    }
  }
}
