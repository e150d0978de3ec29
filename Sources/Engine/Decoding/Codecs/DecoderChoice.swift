import Blocks

enum DecoderChoice {
  /// Creates a decoder that rounds to `depth`. Returns nil if the set-up is missing or rejected, or if memory is
  /// exhausted.
  static func decoder(
    for codec: Codec, _ depth: SampleDepth, _ mp3: Mp3Decoder, _ setup: CodecSetup?
  ) -> (any Decoder)? {
    switch codec {
    case .mpegLayer1, .mpegLayer2, .mpegLayer3: return MpegDecoder(mp3, depth)
    case .aac: return FaadDecoder(depth)
    case .vorbis, .opus, .flac, .pcm: break
    }
    guard let setup, setup.codec == codec, setup.byteCount <= CodecSetup.maxBytes else { return nil }
    switch codec {
    case .vorbis: return VorbisDecoder(depth, setup)
    case .opus: return OpusDecoder(depth, setup)
    case .flac: return FlacDecoder(depth, setup)
    default: return PcmDecoder(depth, setup)
    }
  }
}
