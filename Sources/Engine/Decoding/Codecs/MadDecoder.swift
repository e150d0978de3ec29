import Blocks
import CMad
import Units

/// Decodes MPEG audio, Layers I to III, with libmad. Decode thread only.
struct MadDecoder: ~Copyable {
  private let mad: UnsafeMutablePointer<bk_mad>
  private let depth: SampleDepth
  private var dither = Dither()
  private var judge = Layer3Judge()
  private var crc = DamageCheck()

  private(set) var isSuspect = false

  /// Bytes that libmad may read beyond a packet's end (MAD_BUFFER_GUARD).
  static let guardByteCount = 8

  init(_ depth: SampleDepth) {
    mad = .allocate(capacity: 1)
    bk_mad_init(mad)
    self.depth = depth
  }

  deinit {
    bk_mad_finish(mad)
    mad.deallocate()
  }

  mutating func forget() {
    bk_mad_forget(mad)
    judge.clear()
  }

  func misfit() -> Int? { judge.mainData.misfit() }

  /// Decodes one complete packet, followed by `guardByteCount` zeros (mad_frame_decode, mad_synth_frame).
  mutating func decode(_ bytes: UnsafePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
    mad_stream_buffer(&mad.pointee.stream, bytes, UInt(info.byteCount + Self.guardByteCount))
    isSuspect = true
    if info.isFreeFormat { mad.pointee.stream.freerate = Self.freeRate(info, bytes[2]) }
    guard info.format.codec == .mpegLayer3 ? decodeWithReservoir(bytes, info) : decodeFrame() else {
      // The failed packet leaves an incomplete overlap, which would be audible in the next packet.
      mad_frame_mute(&mad.pointee.frame)
      throw .discardPacket
    }
    if hasWrongCRC() { isSuspect = true }
    mad_synth_frame(&mad.pointee.synth, &mad.pointee.frame)
    let length = Int(mad.pointee.synth.pcm.length)
    guard let rate = SampleRate(checking: Int(mad.pointee.synth.pcm.samplerate)), length <= Period.maxPart else {
      throw .discardPacket
    }
    return DecodedPcm(frameCount: length, rate: rate, channels: Int(mad.pointee.synth.pcm.channels))
  }

  private mutating func decodeFrame() -> Bool {
    isSuspect = mad_frame_decode(&mad.pointee.frame, &mad.pointee.stream) != 0
    return !isSuspect
  }

  /// Returns true for a wrong CRC in a stream whose CRCs were correct; libmad is set to ignore CRCs.
  private mutating func hasWrongCRC() -> Bool {
    guard Int(mad.pointee.frame.header.flags) & Int(MAD_FLAG_PROTECTION) != 0 else { return false }
    return crc.isFailed(mad.pointee.frame.header.crc_check == mad.pointee.frame.header.crc_target)
  }

  private mutating func decodeWithReservoir(_ bytes: UnsafePointer<UInt8>, _ info: PacketInfo) -> Bool {
    guard let packet = judge.begin(bytes, byteCount: info.byteCount) else { return false }
    mad.pointee.stream.md_len = 0
    if let room = UnsafeMutableRawPointer(mad.pointee.stream.main_data) {
      mad.pointee.stream.md_len = UInt32(judge.lendData(for: packet, to: room))
    }
    let isDecoded = decodeFrame()
    let isWhole = mad.pointee.stream.next_frame == bytes + info.byteCount
    isSuspect = judge.end(packet, isDecoded: isDecoded, isWhole: isWhole)
    return isDecoded
  }

  mutating func copy(_ pcm: DecodedPcm, to out: UnsafeMutablePointer<Int32>) {
    guard let left = bk_mad_samples(mad, 0), let right = bk_mad_samples(mad, pcm.channels == 2 ? 1 : 0) else { return }
    switch depth {
    case .bits24:
      for frame in 0..<pcm.frameCount {
        out[2 &* frame] = Self.round24(left[frame])
        out[2 &* frame &+ 1] = Self.round24(right[frame])
      }
    case .bits16:
      for frame in 0..<pcm.frameCount {
        out[2 &* frame] = Self.roundTwice(left[frame])
        out[2 &* frame &+ 1] = Self.roundTwice(right[frame])
      }
    case .bits16Dithered:
      let number = dither.advance(by: 2 * pcm.frameCount)
      for frame in 0..<pcm.frameCount {
        let noise = number &+ UInt32(truncatingIfNeeded: 2 &* frame)
        out[2 &* frame] = Self.round16(Self.round24(left[frame]) &+ Dither.noise(noise))
        out[2 &* frame &+ 1] = Self.round16(Self.round24(right[frame]) &+ Dither.noise(noise &+ 1))
      }
    }
  }

  /// Rounds 28 fractional bits to 23, and clips.
  private static func round24(_ sample: mad_fixed_t) -> Int32 {
    let limit: Int32 = 1 << 28
    return max(-limit, min(limit &- 1, Int32(truncatingIfNeeded: sample) &+ 16)) &>> 5
  }

  /// Rounds to 24 bits, then these to 16, and clips once: a sample above 8,388,479 would be rounded up to 2^23.
  private static func roundTwice(_ sample: mad_fixed_t) -> Int32 {
    let clipped = max(-(1 << 28), min(8_388_479 &<< 5, Int32(truncatingIfNeeded: sample) &+ 16))
    return (clipped &>> 5 &+ 128) & ~255
  }

  /// Rounds to 16 significant bits of 24, and clips.
  private static func round16(_ sample: Int32) -> Int32 {
    max(-32_768, min(32_767, (sample &+ 128) &>> 8)) &<< 8
  }

  /// Returns the bit rate from which libmad computes the exact length of a free-format packet: rounded up, because
  /// libmad rounds the length down.
  private static func freeRate(_ info: PacketInfo, _ third: UInt8) -> UInt {
    let slotByteCount = info.format.codec == .mpegLayer1 ? 4 : 1
    let padding = third & 0x02 != 0 ? slotByteCount : 0
    let bits = 8 * max(0, info.byteCount - padding)
    let frames = max(1, info.duration.frames(at: info.format.sampleRate).value)
    return UInt((bits * Int(info.format.sampleRate.hertz) + frames - 1) / frames)
  }
}
