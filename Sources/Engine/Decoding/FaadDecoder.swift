import Blocks
import CFaad
import Units

/// AAC-LC, HE-AAC v1 and v2 through libfaad; the decode thread's.
struct FaadDecoder: ~Copyable {
  private let faad: NeAACDecHandle
  private let is16Bit: Bool
  private var isReady = false
  /// What overlaps with the next packet does not belong to it.
  private var isBroken = false
  private var frame = NeAACDecFrameInfo()
  private var end = DamageCheck()
  private let samples = UnsafeMutableRawPointer.allocate(byteCount: Self.sampleByteCount, alignment: 16)
  private var downmix = Downmix()

  /// nil where libfaad has no memory (NeAACDecOpen).
  init?(_ depth: SampleDepth) {
    guard let handle = NeAACDecOpen() else { return nil }
    faad = handle
    is16Bit = depth != .bits24
    guard let configuration = NeAACDecGetCurrentConfiguration(handle) else { return }
    configuration.pointee.outputFormat = UInt8(is16Bit ? FAAD_FMT_16BIT : FAAD_FMT_24BIT)
    configuration.pointee.downMatrix = 1
    // Without it AAC-LC at 24 kHz or below would come out at twice its rate.
    configuration.pointee.dontUpSampleImplicitSBR = 1
    NeAACDecSetConfiguration(handle, configuration)
  }

  deinit {
    NeAACDecClose(faad)
    samples.deallocate()
  }

  /// SBR began in mid-stream, which this decoder will never follow (NeAACDecGetErrorMessage).
  private static let sbrWithoutStart: UInt8 = 23

  private var isSuspect = false

  /// Eight channels of HE-AAC; what needs more is refused. The buffer is ours because libfaad's own is too small as
  /// soon as SBR begins in mid-stream, and overrun (up to libfaad 2.10).
  private static let sampleByteCount = 8 * 2048 * MemoryLayout<Int32>.size

  /// Whether the last packet failed, or its elements did not end where it ends.
  func seesDamage() -> Bool { isSuspect }

  /// Forgets what went before a gap: what SBR knew at once (NeAACDecPostSeekReset), the overlap with the next packet,
  /// which is not heard.
  mutating func forget() {
    guard isReady else { return }
    NeAACDecPostSeekReset(faad, -1)
    isBroken = true
  }

  /// Decodes one whole ADTS packet (NeAACDecInit on the first, NeAACDecDecode2). The first one gives no samples.
  mutating func decode(_ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
    isSuspect = true
    if !isReady {
      var rate: UInt = 0
      var channels: UInt8 = 0
      guard NeAACDecInit(faad, bytes, UInt(info.byteCount), &rate, &channels) >= 0 else { throw .resetDecoder }
      isReady = true
    }
    var target: UnsafeMutableRawPointer? = samples
    NeAACDecDecode2(faad, &frame, bytes, UInt(info.byteCount), &target, UInt(Self.sampleByteCount))
    guard frame.error != Self.sbrWithoutStart else { throw .resetDecoder }
    guard frame.error == 0, !isBroken else {
      isBroken = frame.error != 0
      throw .discardPacket
    }
    isSuspect = end.isFailed(Int(frame.bytesconsumed) == info.byteCount)
    let channels = Int(frame.channels)
    guard frame.samples > 0, channels > 0, let rate = SampleRate(checking: Int(frame.samplerate)) else {
      return DecodedPcm(frameCount: 0, rate: info.format.sampleRate, channels: 2)
    }
    if channels > 2 { downmix = Downmix(frame) }
    // Mono arrives as two channels, lest parametric stereo begin.
    let isMono = channels == 1 || (info.format.channels == 1 && frame.ps == 0)
    return DecodedPcm(frameCount: Int(frame.samples) / channels, rate: rate, channels: isMono ? 1 : 2)
  }

  /// Writes `count` frames from `offset` on, interleaved, as 24 bits; mono twice, more than two channels mixed down.
  func copy(from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>) {
    let channels = Int(frame.channels)
    if is16Bit {
      let source = samples.assumingMemoryBound(to: Int16.self) + offset * channels
      copy(count, channels, out) { Int32(source[$0]) &<< 8 }
    } else {
      let source = samples.assumingMemoryBound(to: Int32.self) + offset * channels
      copy(count, channels, out) { source[$0] }
    }
  }

  @inline(__always)
  private func copy(_ count: Int, _ channels: Int, _ out: UnsafeMutablePointer<Int32>, _ sample: (Int) -> Int32) {
    switch channels {
    case 1:
      for index in 0..<count {
        out[2 &* index] = sample(index)
        out[2 &* index &+ 1] = sample(index)
      }
    case 2:
      for index in 0..<(2 &* count) { out[index] = sample(index) }
    default:
      for index in 0..<count {
        let mixed = downmix.mix { sample(index &* channels &+ $0) }
        out[2 &* index] = mixed.left
        out[2 &* index &+ 1] = mixed.right
      }
    }
  }
}
