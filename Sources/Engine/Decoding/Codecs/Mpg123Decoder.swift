import Blocks
import CMpg123
import Units

/// Decodes MP3 with libmpg123, except free format. Decode thread only.
/// `Layer3Judge` checks the packets, as for libmad. libmpg123 does not report a failed packet, but fills it with zeros.
/// The sudden start of the zeros reveals the failure.
struct Mpg123Decoder: ~Copyable {
  private let handle: OpaquePointer
  private var rounding: SampleRounding
  private var judge = Layer3Judge()
  private var crc = DamageCheck()
  /// Room for a packet that only carries main data.
  private let primer: UnsafeMutablePointer<UInt8>
  /// The stream's shape; nil if libmpg123 must restart.
  private var shape: UInt16?
  /// Number of main data bytes that libmpg123 has buffered for the next packet.
  private var bufferedByteCount = 0
  /// The last packet's samples, in libmpg123's memory.
  private var samples: UnsafePointer<Float>?
  private var endsSilent = true

  private(set) var isSuspect = false

  /// Maximum size of a packet in bytes, except in free format: 160 kbit/s at 8 kHz.
  private static let primerCapacity = 1440
  private static let granuleFrameCount = 576

  /// Returns nil if memory is exhausted.
  init?(_ depth: SampleDepth) {
    guard let handle = mpg123_new(nil, nil) else { return nil }
    self.init(handle, depth)
  }

  private init(_ handle: OpaquePointer, _ depth: SampleDepth) {
    self.handle = handle
    rounding = SampleRounding(depth)
    primer = .allocate(capacity: Self.primerCapacity)
    // Decodes each packet at once, treats a Xing frame as any packet, and disables messages and gapless cuts.
    let flags =
      MPG123_QUIET.rawValue | MPG123_FORCE_FLOAT.rawValue | MPG123_NO_READAHEAD.rawValue
      | MPG123_NO_FRANKENSTEIN.rawValue | MPG123_IGNORE_INFOFRAME.rawValue | MPG123_NO_RESYNC.rawValue
      | MPG123_SKIP_ID3V2.rawValue
    bk_mpg123_set(handle, MPG123_FLAGS, Int(flags))
    bk_mpg123_set(handle, MPG123_INDEX_SIZE, 0)
  }

  deinit {
    mpg123_delete(handle)
    primer.deallocate()
  }

  mutating func forget() {
    shape = nil
    judge.clear()
  }

  func misfit() -> Int? { judge.mainData.misfit() }

  mutating func decode(_ bytes: UnsafePointer<UInt8>, _ info: PacketInfo) throws(DecodeError) -> DecodedPcm {
    isSuspect = true
    guard let packet = judge.begin(bytes, byteCount: info.byteCount) else {
      shape = nil
      throw .discardPacket
    }
    let header = Layer3Header(bytes)
    let pcm = header.flatMap { header in
      !packet.lacksData && header.byteCount <= info.byteCount && packet.side.isWhole
        && SideInfoCheck.isPossible(bytes, byteCount: info.byteCount, header) ? decode(bytes, header, packet) : nil
    }
    isSuspect = judge.end(packet, isDecoded: pcm != nil, isWhole: header?.byteCount == info.byteCount)
    guard let header, let pcm else {
      // The failed packet leaves an incomplete overlap, which would be audible in the next packet.
      shape = nil
      throw .discardPacket
    }
    if header.hasCRC, crc.isFailed(Layer3Checksum.isRight(bytes, byteCount: info.byteCount, header)) {
      isSuspect = true
    }
    return pcm
  }

  private mutating func decode(
    _ bytes: UnsafePointer<UInt8>, _ header: Layer3Header, _ packet: Layer3Judge.Packet
  ) -> DecodedPcm? {
    if header.shape != shape || packet.side.mainDataBegin > bufferedByteCount {
      guard begin(bytes, header, packet) else { return nil }
    }
    guard let floatCount = feed(bytes, header.byteCount) else { return nil }
    shape = header.shape
    bufferedByteCount = packet.side.mainDataBegin + packet.side.mainData.count
    let channels = header.isMono ? 1 : 2
    guard floatCount == channels * Self.granuleFrameCount * (header.isMpeg1 ? 2 : 1) else { return nil }
    let frameCount = floatCount / channels
    guard !isTornOff(frameCount, channels), let rate = SampleRate(checking: header.rate) else { return nil }
    return DecodedPcm(frameCount: frameCount, rate: rate, channels: channels)
  }

  /// Restarts libmpg123 and feeds it the preceding main data in a silent packet.
  private mutating func begin(
    _ bytes: UnsafePointer<UInt8>, _ header: Layer3Header, _ packet: Layer3Judge.Packet
  ) -> Bool {
    endsSilent = true
    guard mpg123_open_feed(handle) == MPG123_OK.rawValue else { return false }
    let wanted = packet.side.mainDataBegin
    guard wanted > 0 else { return true }
    let count = header.maxByteCount
    assert(count <= Self.primerCapacity && wanted < count - 36, "at the highest bit rate there is room for all of it")
    primer.update(repeating: 0, count: count)
    primer[0] = bytes[0]
    primer[1] = bytes[1] | 1
    primer[2] = Layer3Header.maxRateIndex << 4 | bytes[2] & 0x0C
    primer[3] = bytes[3]
    _ = judge.lendData(for: packet, to: primer + (count - wanted))
    return feed(primer, count) != nil
  }

  private mutating func feed(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int) -> Int? {
    guard mpg123_feed(handle, bytes, byteCount) == MPG123_OK.rawValue else { return nil }
    let next = mpg123_framebyframe_next(handle)
    guard next == MPG123_OK.rawValue || next == MPG123_NEW_FORMAT.rawValue else { return nil }
    var made: UnsafeMutablePointer<UInt8>?
    var madeByteCount = 0
    guard bk_mpg123_decode(handle, &made, &madeByteCount) == MPG123_OK.rawValue, let made else { return nil }
    samples = UnsafeRawPointer(made).assumingMemoryBound(to: Float.self)
    return madeByteCount / MemoryLayout<Float>.stride
  }

  /// Returns true if the sound stops at the start of a granule, because libmpg123 failed there. An encoder's silence
  /// starts later in the granule, because the filterbank rings. If the previous packet ended silent, only the Huffman
  /// codes show a failure.
  private mutating func isTornOff(_ frameCount: Int, _ channels: Int) -> Bool {
    guard let samples else { return true }
    let wasSilent = endsSilent
    var sounding = channels * frameCount
    while sounding > 0, samples[sounding - 1] == 0 { sounding -= 1 }
    let silent = frameCount - (sounding + channels - 1) / channels
    endsSilent = silent > 0
    guard silent >= Self.granuleFrameCount else { return false }
    let isSudden = silent == frameCount ? !wasSilent : silent == Self.granuleFrameCount
    return isSudden || !judge.mainData.fits(0)
  }

  mutating func copy(_ pcm: DecodedPcm, to out: UnsafeMutablePointer<Int32>) {
    guard let samples else { return }
    rounding.round(samples, frames: pcm.frameCount, channels: pcm.channels, out)
  }
}
