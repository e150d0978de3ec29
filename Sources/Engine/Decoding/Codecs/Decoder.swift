import Blocks

/// The decoder of one codec, created for its first packet. Decode thread only.
enum Decoder {
  case mpeg(MpegDecoder)
  case aac(FaadDecoder)
  case vorbis(VorbisDecoder)
  case opus(OpusDecoder)
  case flac(FlacDecoder)
  case pcm(PcmDecoder)

  /// Creates a decoder that rounds to `depth`; nil if the set-up is missing or rejected, or if memory is exhausted.
  init?(_ codec: Codec, _ depth: SampleDepth, _ mp3: Mp3Decoder, _ setup: CodecSetup?) {
    let made: Decoder?
    switch (codec, setup) {
    case (.mpegLayer1, _), (.mpegLayer2, _), (.mpegLayer3, _): made = .mpeg(MpegDecoder(mp3, depth))
    case (.aac, _): made = FaadDecoder(depth).map { .aac($0) }
    case (_, let setup?) where setup.codec == codec && setup.byteCount <= CodecSetup.maxBytes:
      switch codec {
      case .vorbis: made = VorbisDecoder(depth, setup).map { .vorbis($0) }
      case .opus: made = OpusDecoder(depth, setup).map { .opus($0) }
      case .flac: made = FlacDecoder(depth, setup).map { .flac($0) }
      default: made = PcmDecoder(depth, setup).map { .pcm($0) }
      }
    default: made = nil
    }
    guard let made else { return nil }
    self = made
  }

  /// True if the last packet failed, or its result indicates damage.
  var isSuspect: Bool {
    switch self {
    case .mpeg(let decoder): decoder.isSuspect
    case .aac(let decoder): decoder.isSuspect
    case .vorbis(let decoder): decoder.isSuspect
    case .opus(let decoder): decoder.isSuspect
    case .flac(let decoder): decoder.isSuspect
    case .pcm(let decoder): decoder.isSuspect
    }
  }

  func accepts(_ format: PacketFormat, _ setup: CodecSetup?) -> Bool {
    switch self {
    case .mpeg(let decoder): decoder.accepts(format, setup)
    case .aac(let decoder): decoder.accepts(format, setup)
    case .vorbis(let decoder): decoder.accepts(format, setup)
    case .opus(let decoder): decoder.accepts(format, setup)
    case .flac(let decoder): decoder.accepts(format, setup)
    case .pcm(let decoder): decoder.accepts(format, setup)
    }
  }

  /// Clears the state of earlier packets, for example at a gap.
  func forget() {
    switch self {
    case .mpeg(let decoder): decoder.forget()
    case .aac(let decoder): decoder.forget()
    case .vorbis(let decoder): decoder.forget()
    case .opus(let decoder): decoder.forget()
    case .flac(let decoder): decoder.forget()
    case .pcm(let decoder): decoder.forget()
    }
  }

  /// Decodes one complete packet, followed by `PacketDecoder.guardByteCount` zeros.
  func decode(_ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
    switch self {
    case .mpeg(let decoder): try decoder.decode(bytes, info)
    case .aac(let decoder): try decoder.decode(bytes, info)
    case .vorbis(let decoder): try decoder.decode(bytes, info)
    case .opus(let decoder): try decoder.decode(bytes, info)
    case .flac(let decoder): try decoder.decode(bytes, info)
    case .pcm(let decoder): try decoder.decode(bytes, info)
    }
  }

  /// Copies `count` frames of the last packet from `offset` on, each two samples of 24 bits; mono is duplicated.
  func copy(_ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>) {
    switch self {
    case .mpeg(let decoder): decoder.copy(pcm, from: offset, count: count, to: out)
    case .aac(let decoder): decoder.copy(pcm, from: offset, count: count, to: out)
    case .vorbis(let decoder): decoder.copy(pcm, from: offset, count: count, to: out)
    case .opus(let decoder): decoder.copy(pcm, from: offset, count: count, to: out)
    case .flac(let decoder): decoder.copy(pcm, from: offset, count: count, to: out)
    case .pcm(let decoder): decoder.copy(pcm, from: offset, count: count, to: out)
    }
  }

  /// Returns the age of a probably damaged MP3 packet (`MainDataCheck.misfit`). Called if the sound is suddenly loud.
  func misfit() -> Int? { if case .mpeg(let decoder) = self { decoder.misfit() } else { nil } }
}
