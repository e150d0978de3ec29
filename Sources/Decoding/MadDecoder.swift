import Blocks
import CMad
import Units

/// MPEG audio, Layers I to III, through libmad; the decode thread's.
struct MadDecoder: ~Copyable {
  private let mad: UnsafeMutablePointer<bk_mad>
  private let depth: SampleDepth
  private var dither = Dither()

  /// Bytes that libmad may look at beyond a packet's end (MAD_BUFFER_GUARD).
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

  /// Forgets what went before a gap.
  mutating func forget() { bk_mad_forget(mad) }

  /// Decodes one whole packet, behind which its successor's first `guardByteCount` bytes lie, or zeros
  /// (mad_frame_decode, mad_synth_frame).
  mutating func decode(_ bytes: UnsafePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
    mad_stream_buffer(&mad.pointee.stream, bytes, UInt(info.byteCount + Self.guardByteCount))
    if info.isFreeFormat { mad.pointee.stream.freerate = Self.freeRate(info, bytes[2]) }
    guard mad_frame_decode(&mad.pointee.frame, &mad.pointee.stream) == 0 else { throw .discardPacket }
    mad_synth_frame(&mad.pointee.synth, &mad.pointee.frame)
    let pcm = mad.pointee.synth.pcm
    guard let rate = SampleRate(checking: Int(pcm.samplerate)), pcm.length <= Period.frameCapacity else {
      throw .discardPacket
    }
    return DecodedPcm(frameCount: Int(pcm.length), rate: rate, channels: Int(pcm.channels))
  }

  /// Writes the packet's samples, interleaved, mono twice.
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
        out[2 &* frame] = Self.round16(Self.round24(left[frame]))
        out[2 &* frame &+ 1] = Self.round16(Self.round24(right[frame]))
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

  /// 28 fractional bits to 23, rounded and kept in range.
  private static func round24(_ sample: mad_fixed_t) -> Int32 {
    let limit: Int32 = 1 << 28
    return max(-limit, min(limit &- 1, Int32(truncatingIfNeeded: sample) &+ 16)) &>> 5
  }

  /// 24 bits with only the upper 16 in use.
  private static func round16(_ sample: Int32) -> Int32 {
    max(-32_768, min(32_767, (sample &+ 128) &>> 8)) &<< 8
  }

  /// The bit rate of a free-format packet, from its length: libmad computes the length back from it.
  private static func freeRate(_ info: PacketInfo, _ third: UInt8) -> UInt {
    let padding = Int(third >> 1 & 1)
    let rate = Int(info.format.sampleRate.hertz)
    let perSecond: Int
    if info.format.codec == .mpegLayer1 {
      perSecond = rate * (info.byteCount - 4 * padding + 4) / 48
    } else {
      let frames = info.duration.frames(at: info.format.sampleRate).value
      perSecond = rate * (info.byteCount - padding + 1) / max(1, frames / 8)
    }
    return UInt(max(0, perSecond / 1000 * 1000))
  }
}
