import Blocks
import CFaad
import Units

/// Decodes AAC-LC, HE-AAC v1 and v2 with libfaad.
final class FaadDecoder: Decoder {
  private let faad: NeAACDecHandle
  private let is16Bit: Bool
  private var isReady = false
  /// True if the overlap belongs to another place or to a failed packet. The next packet's sound is then invalid.
  private var isBroken = false
  private var frame = NeAACDecFrameInfo()
  private var end = DamageCheck()
  private let samples = UnsafeMutableRawPointer.allocate(byteCount: FaadDecoder.sampleByteCount, alignment: 16)
  private var downmix = Downmix()

  /// Returns nil if memory is exhausted (NeAACDecOpen).
  init?(_ depth: SampleDepth) {
    guard let handle = NeAACDecOpen() else { return nil }
    faad = handle
    is16Bit = depth != .bits24
    guard let configuration = NeAACDecGetCurrentConfiguration(handle) else { return }
    configuration.pointee.outputFormat = UInt8(is16Bit ? FAAD_FMT_16BIT : FAAD_FMT_24BIT)
    configuration.pointee.downMatrix = 1
    // Otherwise libfaad doubles the rate of AAC-LC at 24 kHz or below.
    configuration.pointee.dontUpSampleImplicitSBR = 1
    NeAACDecSetConfiguration(handle, configuration)
  }

  deinit {
    NeAACDecClose(faad)
    samples.deallocate()
  }

  /// The error code for SBR that starts in mid-stream; only a new decoder can continue (NeAACDecGetErrorMessage).
  private static let sbrWithoutStart: UInt8 = 23

  /// True if the last packet failed, or if its elements do not end at its end (`DamageCheck`).
  private(set) var isSuspect = false

  /// The size for eight channels of HE-AAC; larger packets are rejected. libfaad's own buffer is too small and overruns
  /// if SBR starts in mid-stream (up to libfaad 2.10).
  private static let sampleByteCount = 8 * 2048 * MemoryLayout<Int32>.size

  /// Returns false: each change of format needs a new decoder.
  func accepts(_ format: PacketFormat, _ setup: CodecSetup?) -> Bool { false }

  /// Clears SBR (NeAACDecPostSeekReset) and marks the overlap as invalid; the next packet is discarded.
  func forget() {
    guard isReady else { return }
    NeAACDecPostSeekReset(faad, -1)
    isBroken = true
  }

  /// Decodes one ADTS packet (NeAACDecInit on the first, then NeAACDecDecode2). The first packet returns no samples.
  func decode(_ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
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
    downmix = channels > 2 ? Downmix(channels, Self.order(frame)) : Downmix(channels)
    // libfaad returns mono as two channels, in case parametric stereo starts.
    let isMono = channels == 1 || (info.format.channels == 1 && frame.ps == 0)
    return DecodedPcm(frameCount: Int(frame.samples) / channels, rate: rate, channels: isMono ? 1 : 2)
  }

  /// Returns the order of the channels that libfaad does not mix down: 3.0, 4.0, 7.1. For configuration 7, libfaad
  /// reports only two positions, so the order of the standard applies (ISO 14496-3 table 1.19).
  private static func order(_ frame: borrowing NeAACDecFrameInfo) -> ChannelPosition.Order {
    let count = min(Int(frame.channels), Downmix.maxChannels)
    return withUnsafeBytes(of: frame.channel_position) { told in
      if count == 8, told[2] == UNKNOWN_CHANNEL {
        return [.frontCenter, .frontLeft, .frontRight, .sideLeft, .sideRight, .backLeft, .backRight, .bass]
      }
      return ChannelPosition.Order { $0 < count ? position(Int32(told[$0])) : .unknown }
    }
  }

  private static func position(_ told: Int32) -> ChannelPosition {
    switch told {
    case FRONT_CHANNEL_LEFT: .frontLeft
    case FRONT_CHANNEL_RIGHT: .frontRight
    case FRONT_CHANNEL_CENTER: .frontCenter
    case SIDE_CHANNEL_LEFT: .sideLeft
    case SIDE_CHANNEL_RIGHT: .sideRight
    case BACK_CHANNEL_LEFT: .backLeft
    case BACK_CHANNEL_RIGHT: .backRight
    case BACK_CHANNEL_CENTER: .backCenter
    default: .unknown
    }
  }

  func copy(_ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>) {
    let channels = Int(frame.channels)
    if is16Bit {
      let source = samples.assumingMemoryBound(to: Int16.self) + offset * channels
      if channels == 2 {
        for index in 0..<2 &* count { out[index] = Int32(source[index]) &<< 8 }
      } else {
        downmix.write(count, to: out) { Int32(source[$0 &* channels &+ $1]) &<< 8 }
      }
    } else {
      let source = samples.assumingMemoryBound(to: Int32.self) + offset * channels
      if channels == 2 {
        out.update(from: source, count: 2 &* count)
      } else {
        downmix.write(count, to: out) { source[$0 &* channels &+ $1] }
      }
    }
  }
}
