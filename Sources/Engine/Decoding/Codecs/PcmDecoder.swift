import Blocks
import Units

final class PcmDecoder {
  private let setup: CodecSetup
  private let layout: PcmLayout
  private let downmix: Downmix
  private var sound = StereoRoom()
  private var rounding: DepthRounding

  private(set) var isSuspect = false

  /// Returns nil if the set-up is not a supported `fmt ` chunk.
  init?(_ depth: SampleDepth, _ setup: CodecSetup) {
    guard setup.headers.count == 1 else { return nil }
    let header = setup.headers[0]
    guard let layout = PcmLayout(header.span) else { return nil }
    self.setup = setup
    self.layout = layout
    downmix = Downmix(layout.channels, ChannelPosition.wavOrder(layout.channels, mask: layout.channelMask))
    rounding = DepthRounding(depth)
  }

  func accepts(_ format: PacketFormat, _ setup: CodecSetup?) -> Bool { setup == self.setup }

  func forget() { sound.clear() }

  /// Decodes the complete frames of a packet.
  func decode(_ bytes: UnsafeMutablePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
    let count = info.byteCount / layout.frameByteCount
    isSuspect = count == 0
    guard !isSuspect else {
      sound.clear()
      throw .discardPacket
    }
    read(UnsafeRawPointer(bytes), count)
    return DecodedPcm(frameCount: count, rate: layout.sampleRate, channels: min(2, downmix.channels))
  }

  private func read(_ bytes: UnsafeRawPointer, _ count: Int) {
    let channels = layout.channels
    switch layout.encoding {
    case .unsigned8:
      sound.fill(count, downmix) { frame, channel in
        (Int32(bytes.load(fromByteOffset: frame &* channels &+ channel, as: UInt8.self)) &- 128) &<< 16
      }
    case .signed16:
      sound.fill(count, downmix) { frame, channel in
        let place = 2 &* (frame &* channels &+ channel)
        return Int32(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int16.self))) &<< 8
      }
    case .signed24:
      sound.fill(count, downmix) { frame, channel in
        let place = 3 &* (frame &* channels &+ channel)
        let low = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self))
        let high = bytes.load(fromByteOffset: place &+ 2, as: Int8.self)
        return Int32(high) &<< 16 | Int32(low)
      }
    case .signed32:
      sound.fill(count, downmix) { frame, channel in
        let place = 4 &* (frame &* channels &+ channel)
        let sample = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self))
        return SampleScale.rounding(sample, bits: 32)
      }
    case .float32:
      sound.fill(count, downmix) { frame, channel in
        let place = 4 &* (frame &* channels &+ channel)
        let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        return SampleScale.from(Float(bitPattern: bits))
      }
    }
  }

  private var isFine: Bool {
    switch layout.encoding {
    case .unsigned8, .signed16: downmix.isMixing
    case .signed24, .signed32, .float32: true
    }
  }

  func copy(_ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>) {
    sound.copy(from: offset, count: count, to: out)
    rounding.round(out, count: count, isFine: isFine)
  }
}
