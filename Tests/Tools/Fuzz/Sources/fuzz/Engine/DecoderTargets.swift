import Blocks
import Decoding
import Framing

/// Decodes MPEG audio packets with valid headers and any content.
final class MpegDecoding: FuzzTarget {
  static let name = "mpeg-decoder"
  static let longest = 3_000
  private let bench = DecoderBench()

  func run(_ bytes: Span<UInt8>) { bench.decode(bytes.array, MpegPackets.self) }
}

/// Decodes ADTS packets with valid headers and any content.
final class AacDecoding: FuzzTarget {
  static let name = "aac-decoder"
  static let longest = 3_000
  private let bench = DecoderBench()

  func run(_ bytes: Span<UInt8>) { bench.decode(bytes.array, AdtsPackets.self) }
}

private protocol PacketMaking {
  /// Returns the packet at `place` with a corrected header, padded with zeros; nil if too few bytes are left.
  static func packet(_ bytes: [UInt8], at place: Int) -> (info: PacketInfo, bytes: [UInt8])?
}

private enum MpegPackets: PacketMaking {
  static func packet(_ bytes: [UInt8], at place: Int) -> (info: PacketInfo, bytes: [UInt8])? {
    guard place + 8 <= bytes.count else { return nil }
    var head = [0xFF, bytes[place + 1] | 0xE0, bytes[place + 2], bytes[place + 3]]
    if head[1] & 0x18 == 0x08 { head[1] |= 0x10 }
    if head[1] & 0x06 == 0 { head[1] |= 0x02 }
    if head[2] & 0xF0 == 0xF0 { head[2] &= 0x9F }
    if head[2] & 0x0C == 0x0C { head[2] &= 0xF3 }
    guard let header = MpegHeader(head.span) else { fatalError("A mended header is one.") }
    let byteCount = header.byteCount ?? 24 + Int(bytes[place + 4]) * 19
    let packet = head + bytes[(place + 4)..<min(bytes.count, place + max(8, byteCount))]
    let info = PacketInfo(
      format: PacketFormat(codec: header.codec, sampleRate: header.sampleRate, channels: header.channels),
      byteCount: max(8, byteCount), duration: .init(frames: header.samplesPerFrame, at: header.sampleRate),
      byteOffset: place, followsGap: head[3] & 3 == 2, isFreeFormat: header.byteCount == nil)
    return (info, packet)
  }
}

private enum AdtsPackets: PacketMaking {
  static func packet(_ bytes: [UInt8], at place: Int) -> (info: PacketInfo, bytes: [UInt8])? {
    guard place + 9 <= bytes.count else { return nil }
    var head = Array(bytes[place..<(place + 7)])
    head[0] = 0xFF
    head[1] = head[1] & 0x09 | 0xF0
    if head[2] >> 2 & 15 > 12 { head[2] = head[2] & 0xC3 | 0x10 }
    let told = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
    let byteCount = (10...5_000).contains(told) ? told : min(5_000, bytes.count - place + 1)
    head[3] = head[3] & 0xFC | UInt8(byteCount >> 11)
    head[4] = UInt8(byteCount >> 3 & 0xFF)
    head[5] = UInt8(byteCount & 7) << 5 | head[5] & 0x1F
    guard let header = AdtsHeader(head.span) else { fatalError("A mended header is one.") }
    let packet = head + bytes[(place + 7)..<min(bytes.count, place + byteCount)]
    let info = PacketInfo(
      format: PacketFormat(
        codec: .aac, sampleRate: header.sampleRate, channels: header.channels, profile: header.profile),
      byteCount: byteCount, duration: header.duration, byteOffset: place, followsGap: head[6] & 0x10 != 0)
    return (info, packet)
  }
}

private final class DecoderBench {
  private let out = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 2 * Period.frameCapacity)

  func decode(_ bytes: [UInt8], _ packets: any PacketMaking.Type) {
    let depths: [SampleDepth] = [.bits16, .bits16Dithered, .bits24]
    var decoder = PacketDecoder(depths[bytes.count % 3], mp3: bytes.count / 3 % 2 == 0 ? .mad : .mpg123)
    var place = 0
    var count = 0
    while count < 4, let packet = packets.packet(bytes, at: place) {
      place += packet.info.byteCount
      count += 1
      decode(packet.info, packet.bytes, &decoder)
    }
  }

  /// Decodes a packet in a buffer of exactly its size, so that a sanitizer detects reads beyond it.
  private func decode(_ info: PacketInfo, _ bytes: [UInt8], _ decoder: inout PacketDecoder) {
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: info.byteCount + PacketDecoder.guardByteCount)
    defer { room.deallocate() }
    room.initialize(repeating: 0, count: info.byteCount + PacketDecoder.guardByteCount)
    room.update(from: bytes, count: min(bytes.count, info.byteCount))
    guard let pcm = try? decoder.decode(room, info), pcm.frameCount > 0, let start = out.baseAddress else { return }
    expect(pcm.channels == 1 || pcm.channels == 2, "a programme has one channel or two")
    expect(pcm.frameCount <= 8_192, "a packet becomes a few periods")
    let step = info.format.codec == .aac ? 1_024 : pcm.frameCount
    for offset in stride(from: 0, to: pcm.frameCount, by: step) {
      let count = min(step, pcm.frameCount - offset)
      decoder.copy(pcm, from: offset, count: count, to: start)
      expect(out[..<(2 * count)].allSatisfy { (-8_388_608...8_388_607).contains($0) }, "samples keep to 24 bits")
    }
  }
}
