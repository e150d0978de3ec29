import Blocks
import COpus
import Units

/// Opus through libopus, always at 48,000 Hz.
final class OpusDecoder {
  private let setup: CodecSetup
  private let opus: OpaquePointer
  private let samples: UnsafeMutablePointer<Float>
  private var frameCount = 0
  private let downmix: Downmix
  private var rounding: DepthRounding

  private(set) var isSuspect = false

  private static let rate = SampleRate(48_000)
  /// The longest packet's frames: 120 ms.
  private static let mostFrames = 5_760

  /// nil where the set-up is none that is known, or libopus has no memory (opus_multistream_decoder_create).
  init?(_ depth: SampleDepth, _ setup: CodecSetup) {
    guard setup.headers.count == 1, let head = OpusHead(setup.headers[0]) else { return nil }
    guard
      let opus = opus_multistream_decoder_create(
        Self.rate.hertz, Int32(head.channels), Int32(head.streams), Int32(head.coupledStreams), head.mapping, nil)
    else { return nil }
    guard bk_opus_set_gain(opus, Int32(head.gain)) == 0 else {
      opus_multistream_decoder_destroy(opus)
      return nil
    }
    self.setup = setup
    self.opus = opus
    samples = .allocate(capacity: Self.mostFrames * head.channels)
    downmix = Downmix(head.channels, ChannelPosition.vorbisOrder(head.channels))
    rounding = DepthRounding(depth)
  }

  deinit {
    opus_multistream_decoder_destroy(opus)
    samples.deallocate()
  }

  func accepts(_ format: PacketFormat, _ setup: CodecSetup?) -> Bool { setup == self.setup }

  func forget() {
    _ = bk_opus_reset(opus)
    frameCount = 0
  }

  /// Decodes one packet (opus_multistream_decode_float). One of no bytes never comes: libopus would make up its sound.
  func decode(_ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
    let result = opus_multistream_decode_float(
      opus, bytes, Int32(info.byteCount), samples, Int32(Self.mostFrames), 0)
    isSuspect = result < 0
    frameCount = max(0, Int(result))
    guard !isSuspect else { throw .discardPacket }
    return DecodedPcm(frameCount: frameCount, rate: Self.rate, channels: min(2, downmix.channels))
  }

  func copy(_ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>) {
    precondition(offset >= 0 && count >= 0 && offset + count <= frameCount, "a packet has so many frames")
    let (first, channels) = (samples + offset * downmix.channels, downmix.channels)
    downmix.write(count, to: out) { frame, channel in SampleScale.from(first[frame &* channels &+ channel]) }
    rounding.round(out, count: count, isFine: true)
  }
}

/// The identification header of Opus (RFC 7845, 5.1).
private struct OpusHead {
  let channels: Int
  /// In 1/256 dB.
  let gain: Int16
  let streams: Int
  /// The streams of two channels; the others have one.
  let coupledStreams: Int
  /// The channel of the streams that each channel is.
  let mapping: [UInt8]

  /// nil where the header is none, its version is not known, or its channels have no places.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 19, bytes.starts(with: "OpusHead".utf8), bytes[8] & 0xF0 == 0 else { return nil }
    channels = Int(bytes[9])
    gain = Int16(bitPattern: UInt16(bytes[16]) | UInt16(bytes[17]) << 8)
    switch bytes[18] {
    case 0:
      guard (1...2).contains(channels) else { return nil }
      (streams, coupledStreams, mapping) = (1, channels - 1, [0, 1])
    case 1:
      guard (1...Downmix.most).contains(channels), bytes.count >= 21 + channels else { return nil }
      (streams, coupledStreams, mapping) = (Int(bytes[19]), Int(bytes[20]), Array(bytes[21..<21 + channels]))
      // Each of them takes memory; libopus checks the rest.
      guard streams + coupledStreams <= Downmix.most else { return nil }
    default: return nil
    }
  }
}
