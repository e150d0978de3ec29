import Blocks
import Units

final class PcmDecoder: Decoder {
  private let setup: CodecSetup
  private let layout: PcmLayout
  private let downmix: Downmix
  private var sound = StereoRoom()
  private var rounding: DepthRounding

  private(set) var isSuspect = false

  /// Returns nil if the set-up is not a supported `fmt ` or COMM chunk.
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
    let (channels, isBig) = (layout.channels, layout.isBigEndian)
    /// Loads a sample of two, four or eight bytes.
    @inline(__always)
    func load<Number: FixedWidthInteger>(_ type: Number.Type, _ frame: Int, _ channel: Int) -> Number {
      let place = MemoryLayout<Number>.size &* (frame &* channels &+ channel)
      let number = bytes.loadUnaligned(fromByteOffset: place, as: type)
      return isBig ? Number(bigEndian: number) : Number(littleEndian: number)
    }
    switch layout.encoding {
    case .unsigned8:
      sound.fill(count, downmix) { (Int32(load(UInt8.self, $0, $1)) &- 128) &<< 16 }
    case .signed8:
      sound.fill(count, downmix) { Int32(load(Int8.self, $0, $1)) &<< 16 }
    case .signed16:
      sound.fill(count, downmix) { Int32(load(Int16.self, $0, $1)) &<< 8 }
    case .signed24:
      let (low, high) = isBig ? (1, 0) : (0, 2)
      sound.fill(count, downmix) { frame, channel in
        let place = 3 &* (frame &* channels &+ channel)
        let number = bytes.loadUnaligned(fromByteOffset: place &+ low, as: UInt16.self)
        let top = bytes.load(fromByteOffset: place &+ high, as: Int8.self)
        return Int32(top) &<< 16 | Int32(isBig ? UInt16(bigEndian: number) : UInt16(littleEndian: number))
      }
    case .signed32:
      sound.fill(count, downmix) { SampleScale.rounding(load(Int32.self, $0, $1), bits: 32) }
    case .float32:
      sound.fill(count, downmix) { SampleScale.from(Float(bitPattern: load(UInt32.self, $0, $1))) }
    case .float64:
      sound.fill(count, downmix) { SampleScale.from(Double(bitPattern: load(UInt64.self, $0, $1))) }
    }
  }

  private var isFine: Bool {
    switch layout.encoding {
    case .unsigned8, .signed8, .signed16: downmix.isMixing
    case .signed24, .signed32, .float32, .float64: true
    }
  }

  func copy(_ pcm: DecodedPcm, from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>) {
    sound.copy(from: offset, count: count, to: out)
    rounding.round(out, count: count, isFine: isFine)
  }
}
