import Blocks

/// Decodes MPEG audio with the selected library. libmad always decodes Layers I and II and free format.
final class MpegDecoder: Decoder {
  private var mad: MadDecoder
  private var mpg123: Mpg123Decoder?
  /// True if libmpg123 decoded the last packet.
  private var isWithMpg123 = false

  /// Falls back to libmad if memory for libmpg123 is exhausted.
  init(_ mp3: Mp3Decoder, _ depth: SampleDepth) {
    mad = MadDecoder(depth)
    mpg123 = mp3 == .mpg123 ? Mpg123Decoder(depth) : nil
  }

  var isSuspect: Bool { isWithMpg123 ? mpg123?.isSuspect ?? true : mad.isSuspect }

  func accepts(_ format: PacketFormat, _ setup: CodecSetup?) -> Bool {
    switch format.codec {
    case .mpegLayer1, .mpegLayer2, .mpegLayer3: true
    default: false
    }
  }

  func forget() {
    mad.forget()
    mpg123?.forget()
  }

  func misfit() -> Int? { isWithMpg123 ? mpg123?.misfit() : mad.misfit() }

  func decode(_ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
    let isForMpg123 = mpg123 != nil && info.format.codec == .mpegLayer3 && !info.isFreeFormat
    if isForMpg123 != isWithMpg123 {
      // The selected library did not decode the previous packet, so its state is stale.
      isWithMpg123 = isForMpg123
      forget()
    }
    guard isForMpg123 else { return try mad.decode(bytes, info) }
    guard let pcm = try mpg123?.decode(bytes, info) else { throw .resetDecoder }
    return pcm
  }

  func copy(_ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>) {
    precondition(offset == 0 && count == pcm.frameCount, "an MPEG frame fits into one period")
    if isWithMpg123 { mpg123?.copy(pcm, to: out) } else { mad.copy(pcm, to: out) }
  }
}
