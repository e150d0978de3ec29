import Blocks
import Units

/// What the headers of a logical stream say of its packets of sound: enough to tell how long each sounds.
enum OggSound: Equatable {
  case vorbis(VorbisHead, VorbisSetup)
  case opus(OpusHead)
  case flac(FlacStreamInfo)

  /// What a packet is.
  enum Measure: Equatable, BitwiseCopyable {
    /// Sound, of so many frames.
    case sound(Int)
    /// No sound, such as a header that came again, or nothing.
    case nothing
    /// Something that cannot be decoded.
    case damage
  }

  /// What the packets are, without the number of their set-up.
  var format: PacketFormat {
    switch self {
    case .vorbis(let head, _): PacketFormat(codec: .vorbis, sampleRate: head.sampleRate, channels: head.channels)
    case .opus(let head): PacketFormat(codec: .opus, sampleRate: SampleRate(48_000), channels: head.channels)
    case .flac(let info):
      PacketFormat(codec: .flac, sampleRate: info.sampleRate, channels: UInt8(clamping: info.channels))
    }
  }

  /// Frames at the link's beginning that are not heard.
  var preSkip: Int { if case .opus(let head) = self { head.preSkip } else { 0 } }

  /// Whether an encoder may cut frames off at the beginning by a granule that is smaller than they are many.
  var allowsCutHead: Bool { if case .vorbis = self { true } else { false } }

  /// Measures a packet. `block` is the size of the last packet's block, of Vorbis alone; nil where that is lost.
  func measure(_ packet: Span<UInt8>, after block: inout Int?) -> Measure {
    switch self {
    case .vorbis(let head, let setup):
      guard packet.count > 0, packet[0] & 1 == 0 else { return .nothing }
      guard let size = head.blockSize(packet, setup) else { return .damage }
      let frames = block.map { ($0 + size) / 4 } ?? 0
      block = size
      return .sound(frames)
    case .opus(let head):
      if packet.holds("OpusHead") || packet.holds("OpusTags") { return .nothing }
      return head.frames(packet).map { .sound($0) } ?? .damage
    case .flac:
      guard packet.count > 0, packet[0] == 0xFF else { return .nothing }
      return FlacFrameHeader(packet).map { .sound($0.blockSize) } ?? .damage
    }
  }
}
