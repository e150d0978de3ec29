import Blocks

/// What decodes the packets of a codec: one at a time, made when its first packet comes. The decode thread's.
enum Decoder {
  case mpeg(MpegDecoder)
  case aac(FaadDecoder)
  case vorbis(VorbisDecoder)
  case opus(OpusDecoder)
  case flac(FlacDecoder)
  case pcm(PcmDecoder)

  /// A decoder of `codec` that rounds to `depth`, MP3 by the library named; nil where the set-up is missing or refused,
  /// or there is no memory.
  init?(_ codec: Codec, _ depth: SampleDepth, _ mp3: Mp3Decoder, _ setup: CodecSetup?) {
    let made: Decoder?
    switch (codec, setup) {
    case (.mpegLayer1, _), (.mpegLayer2, _), (.mpegLayer3, _): made = .mpeg(MpegDecoder(mp3, depth))
    case (.aac, _): made = FaadDecoder(depth).map { .aac($0) }
    case (_, let setup?) where setup.codec == codec && setup.byteCount <= CodecSetup.mostBytes:
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

  /// The last packet failed, or decoded in a way that only damage explains.
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

  /// Whether packets of another format, which may have a set-up, are for this decoder too.
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

  /// Forgets what went before a gap.
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

  /// Decodes one whole packet, behind which `PacketDecoder.guardByteCount` zeros lie.
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

  /// Writes `count` frames of the last packet from `offset` on, two interleaved samples of 24 bits each.
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

  /// How many packets ago one of the last three was damaged, by what its neighbours tell; asked where the sound is
  /// suddenly loud.
  func misfit() -> Int? { if case .mpeg(let decoder) = self { decoder.misfit() } else { nil } }
}
