import Blocks
import COpus

/// Decodes the streams of a packet with libopus. A simple head uses the plain decoder, because the multistream decoder
/// may allocate memory for each packet. In libopus 1.5 for arm64 in Debian 13, it does so to read /proc/cpuinfo.
struct OpusStreams: ~Copyable {
  private let opus: OpaquePointer
  private let areSeveral: Bool

  /// Returns nil if memory is exhausted, or if libopus rejects the header (opus_decoder_create,
  /// opus_multistream_decoder_create). libopus accepts every gain of a header.
  init?(_ head: OpusHead, hertz: Int32) {
    areSeveral = !head.isSimple
    let made =
      head.isSimple
      ? opus_decoder_create(hertz, Int32(head.channels), nil)
      : opus_multistream_decoder_create(
        hertz, Int32(head.channels), Int32(head.streams), Int32(head.coupledStreams), head.mapping, nil)
    guard let made else { return nil }
    opus = made
    _ = areSeveral ? bk_opus_multistream_set_gain(opus, Int32(head.gain)) : bk_opus_set_gain(opus, Int32(head.gain))
  }

  deinit {
    if areSeveral { opus_multistream_decoder_destroy(opus) } else { opus_decoder_destroy(opus) }
  }

  func forget() { _ = areSeveral ? bk_opus_multistream_reset(opus) : bk_opus_reset(opus) }

  /// Decodes one packet into interleaved frames; returns their count or a negative error.
  func decode(
    _ bytes: UnsafePointer<UInt8>, _ byteCount: Int, _ samples: UnsafeMutablePointer<Float>, most: Int
  ) -> Int {
    let decode = areSeveral ? opus_multistream_decode_float : opus_decode_float
    return Int(decode(opus, bytes, Int32(byteCount), samples, Int32(most), 0))
  }
}

extension OpusHead {
  /// True if the channels have positions, and the streams are few: each uses memory. libopus checks the rest.
  var isPlayable: Bool {
    family == 0
      || family == 1 && channels <= Downmix.maxChannels && Int(streams) + Int(coupledStreams) <= Downmix.maxChannels
  }

  /// True if a single stream has all channels in order.
  fileprivate var isSimple: Bool {
    streams == 1 && coupledStreams == channels - 1 && mapping.elementsEqual(0..<channels)
  }
}
