import Blocks
import CVorbis
import Units

final class VorbisDecoder: Decoder {
  private let setup: CodecSetup
  private let info = UnsafeMutablePointer<vorbis_info>.allocate(capacity: 1)
  private let dsp = UnsafeMutablePointer<vorbis_dsp_state>.allocate(capacity: 1)
  private let block = UnsafeMutablePointer<vorbis_block>.allocate(capacity: 1)
  private var samples: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
  private var frameCount = 0
  private var rate = SampleRate.cd
  private var downmix = Downmix()
  private var rounding: DepthRounding

  private(set) var isSuspect = false

  /// Returns nil if libvorbis rejects the set-up, or if the set-up needs too much memory.
  init?(_ depth: SampleDepth, _ setup: CodecSetup) {
    self.setup = setup
    rounding = DepthRounding(depth)
    dsp.initialize(to: vorbis_dsp_state())
    block.initialize(to: vorbis_block())
    vorbis_info_init(info)
    guard readHeaders(), vorbis_synthesis_init(dsp, info) == 0, vorbis_block_init(dsp, block) == 0 else { return nil }
  }

  deinit {
    vorbis_block_clear(block)
    vorbis_dsp_clear(dsp)
    vorbis_info_clear(info)
    block.deallocate()
    dsp.deallocate()
    info.deallocate()
  }

  /// An empty comment header, which libvorbis requires between the set-up's headers (Vorbis I, 5.2.1).
  private static let comment: [UInt8] = [3] + "vorbis".utf8 + [0, 0, 0, 0, 0, 0, 0, 0, 1]

  /// Passes the headers to libvorbis (vorbis_synthesis_headerin); returns false if a header is rejected.
  private func readHeaders() -> Bool {
    guard setup.headers.count == 2, setup.headers[0].count > 11 else { return false }
    let (first, last) = (setup.headers[0], setup.headers[1])
    guard VorbisSetup(last.span, channels: Int(first[11]))?.needs.areModest == true else { return false }
    var comments = vorbis_comment()
    vorbis_comment_init(&comments)
    defer { vorbis_comment_clear(&comments) }
    for (index, header) in [setup.headers[0], Self.comment, setup.headers[1]].enumerated() {
      var bytes = header
      let result = bytes.withUnsafeMutableBufferPointer { bytes in
        var packet = ogg_packet()
        (packet.packet, packet.bytes) = (bytes.baseAddress, bytes.count)
        (packet.b_o_s, packet.packetno) = (index == 0 ? 1 : 0, ogg_int64_t(index))
        return vorbis_synthesis_headerin(info, &comments, &packet)
      }
      // Each channel uses memory.
      guard result == 0, (1...Downmix.maxChannels).contains(Int(info.pointee.channels)),
        let rate = SampleRate(checking: info.pointee.rate)
      else { return false }
      self.rate = rate
    }
    let channels = Int(info.pointee.channels)
    downmix = Downmix(channels, ChannelPosition.vorbisOrder(channels))
    return true
  }

  func accepts(_ format: PacketFormat, _ setup: CodecSetup?) -> Bool { setup == self.setup }

  func forget() {
    vorbis_synthesis_restart(dsp)
    (samples, frameCount) = (nil, 0)
  }

  /// Decodes one packet (vorbis_synthesis, then …_blockin and …_pcmout). The first packet returns no samples.
  func decode(_ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
    var packet = ogg_packet()
    (packet.packet, packet.bytes, packet.granulepos) = (bytes, info.byteCount, -1)
    isSuspect = vorbis_synthesis(block, &packet) != 0 || vorbis_synthesis_blockin(dsp, block) != 0
    guard !isSuspect else {
      // The failed packet leaves an incomplete overlap, which would be audible in the next packet.
      forget()
      throw .discardPacket
    }
    frameCount = Int(vorbis_synthesis_pcmout(dsp, &samples))
    // libvorbis keeps the samples until the next packet.
    vorbis_synthesis_read(dsp, Int32(frameCount))
    return DecodedPcm(frameCount: frameCount, rate: rate, channels: min(2, downmix.channels))
  }

  func copy(_ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>) {
    precondition(offset >= 0 && count >= 0 && offset + count <= frameCount, "a packet has so many frames")
    guard let samples, let left = samples[0], let right = samples[downmix.channels == 1 ? 0 : 1] else { return }
    guard downmix.isMixing else {
      return rounding.round(left + offset, right + offset, count: count, to: out)
    }
    downmix.write(count, to: out) { frame, channel in
      samples[channel].map { SampleScale.from($0[offset &+ frame]) } ?? 0
    }
    rounding.round(out, count: count, isFine: true)
  }
}
