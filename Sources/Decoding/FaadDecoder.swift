import Blocks
import CFaad
import Units

/// AAC-LC, HE-AAC v1 and v2 through libfaad; the decode thread's.
struct FaadDecoder: ~Copyable {
  private let faad: NeAACDecHandle
  private let is16Bit: Bool
  private var isReady = false
  private var frame = NeAACDecFrameInfo()
  private var samples: UnsafeMutableRawPointer?

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

  deinit { NeAACDecClose(faad) }

  /// Forgets what went before a gap (NeAACDecPostSeekReset).
  mutating func forget() {
    if isReady { NeAACDecPostSeekReset(faad, -1) }
  }

  /// Decodes one whole ADTS packet (NeAACDecInit on the first, NeAACDecDecode).
  mutating func decode(_ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
    if !isReady {
      var rate: UInt = 0
      var channels: UInt8 = 0
      guard NeAACDecInit(faad, bytes, UInt(info.byteCount), &rate, &channels) >= 0 else { throw .resetDecoder }
      isReady = true
    }
    samples = NeAACDecDecode(faad, &frame, bytes, UInt(info.byteCount))
    guard frame.error == 0 else { throw .discardPacket }
    let channels = Int(frame.channels)
    guard frame.samples > 0, channels > 0, samples != nil, let rate = SampleRate(checking: Int(frame.samplerate)) else {
      return DecodedPcm(frameCount: 0, rate: info.format.sampleRate, channels: 2)
    }
    return DecodedPcm(frameCount: Int(frame.samples) / channels, rate: rate, channels: min(2, channels))
  }

  /// Writes `count` frames from `offset` on, interleaved, as 24 bits; mono twice, more than two channels mixed down.
  func copy(from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>) {
    guard let samples else { return }
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
        let mixed = mix(channels) { sample(index &* channels &+ $0) }
        out[2 &* index] = mixed.left
        out[2 &* index &+ 1] = mixed.right
      }
    }
  }

  /// The front as it is, the centre and the sides at -3 dB in theirs, all of it small enough not to clip.
  private func mix(_ channels: Int, _ sample: (Int) -> Int32) -> (left: Int32, right: Int32) {
    var left: Int64 = 0
    var right: Int64 = 0
    var weight: Int64 = 0
    withUnsafeBytes(of: frame.channel_position) { positions in
      for channel in 0..<min(channels, positions.count) {
        let value = Int64(sample(channel))
        switch Int32(positions[channel]) {
        case FRONT_CHANNEL_LEFT: left += value << 10
        case FRONT_CHANNEL_RIGHT: right += value << 10
        case SIDE_CHANNEL_LEFT, BACK_CHANNEL_LEFT:
          left += value * 724
          weight += 362
        case SIDE_CHANNEL_RIGHT, BACK_CHANNEL_RIGHT:
          right += value * 724
          weight += 362
        case FRONT_CHANNEL_CENTER, BACK_CHANNEL_CENTER:
          left += value * 724
          right += value * 724
          weight += 724
        default: break
        }
      }
    }
    return (Int32(clamping: left / (1024 + weight)), Int32(clamping: right / (1024 + weight)))
  }
}
