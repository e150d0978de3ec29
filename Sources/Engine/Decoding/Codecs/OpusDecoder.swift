import Blocks
import Units

/// Decodes Opus with libopus, always at 48,000 Hz.
final class OpusDecoder: Decoder {
  private let setup: CodecSetup
  private let streams: OpusStreams
  private let samples: UnsafeMutablePointer<Float>
  private var frameCount = 0
  private let downmix: Downmix
  private var rounding: DepthRounding

  private(set) var isSuspect = false

  private static let rate = SampleRate(48_000)
  /// Frames in 120 ms, the longest packet.
  private static let maxFrames = 5_760

  /// Returns nil if the set-up is not supported, or if memory is exhausted.
  init?(_ depth: SampleDepth, _ setup: CodecSetup) {
    guard setup.headers.count == 1, let header = setup.headers.first, let head = OpusHead(header.span), head.isPlayable,
      let streams = OpusStreams(head, hertz: Self.rate.hertz)
    else { return nil }
    self.setup = setup
    self.streams = streams
    samples = .allocate(capacity: Self.maxFrames * Int(head.channels))
    downmix = Downmix(Int(head.channels), ChannelPosition.vorbisOrder(Int(head.channels)))
    rounding = DepthRounding(depth)
  }

  deinit { samples.deallocate() }

  func accepts(_ format: PacketFormat, _ setup: CodecSetup?) -> Bool { setup == self.setup }

  func forget() {
    streams.forget()
    frameCount = 0
  }

  /// Decodes one packet, which must not be empty: for an empty packet, libopus would synthesize audio.
  func decode(_ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
    let result = streams.decode(bytes, info.byteCount, samples, most: Self.maxFrames)
    isSuspect = result < 0
    frameCount = max(0, result)
    guard !isSuspect else { throw .discardPacket }
    return DecodedPcm(frameCount: frameCount, rate: Self.rate, channels: min(2, downmix.channels))
  }

  func copy(_ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>) {
    precondition(offset >= 0 && count >= 0 && offset + count <= frameCount, "a packet has so many frames")
    let (first, channels) = (samples + offset * downmix.channels, downmix.channels)
    switch channels {
    case 1: rounding.round(first, first, count: count, to: out)
    case 2: rounding.round(interleaved: first, count: count, to: out)
    default:
      downmix.write(count, to: out) { frame, channel in SampleScale.from(first[frame &* channels &+ channel]) }
      rounding.round(out, count: count, isFine: true)
    }
  }
}
