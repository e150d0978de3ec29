import COpus

/// A decoder of libopus for the streams of a packet.
///
/// Mono and stereo are one stream, which libopus's plain decoder takes. The one for several streams asks for memory
/// with each packet where libopus 1.5 was built as Debian 13 builds it for arm64: it looks into /proc/cpuinfo.
struct OpusStreams: ~Copyable {
  private let opus: OpaquePointer
  private let areSeveral: Bool

  /// nil where libopus has no memory, or refuses the header; it takes each gain that a header can tell
  /// (opus_decoder_create, opus_multistream_decoder_create).
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

  /// Forgets all packets so far.
  func forget() { _ = areSeveral ? bk_opus_multistream_reset(opus) : bk_opus_reset(opus) }

  /// Decodes one packet into interleaved frames; how many, or an error of libopus below 0.
  func decode(
    _ bytes: UnsafePointer<UInt8>, _ byteCount: Int, _ samples: UnsafeMutablePointer<Float>, most: Int
  ) -> Int {
    let decode = areSeveral ? opus_multistream_decode_float : opus_decode_float
    return Int(decode(opus, bytes, Int32(byteCount), samples, Int32(most), 0))
  }
}
