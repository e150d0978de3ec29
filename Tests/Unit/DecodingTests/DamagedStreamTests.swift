import Blocks
import DecoderBench
import Decoding
import SeededRandom
import Testing
import Units

/// Missing, cut and changed packets of FLAC, Vorbis, Opus and WAV.
struct DamagedStreamTests {
  /// One second of stereo.
  private static func flac(_ tone: Float = 0.4) -> EncodedStream {
    .flac(Signal(2, rate: 44_100, frames: 44_100, tone: tone, noise: tone / 8), bits: 16, block: 1_152)
  }

  static let streams: [@Sendable () -> EncodedStream] = [
    { .flac(Signal(2, rate: 44_100, frames: 20_000), bits: 16, block: 576) },
    { .flac(Signal(6, rate: 48_000, frames: 9_000), bits: 24, block: 576) },
    { .vorbis(Signal(2, rate: 44_100, frames: 20_000)) }, { .vorbis(Signal(6, rate: 44_100, frames: 9_000)) },
    { .opus(Signal(2, rate: 48_000, frames: 20_000)) }, { .opus(Signal(8, rate: 48_000, frames: 9_000)) },
    { Wav(Signal(2, rate: 44_100, frames: 5_000), .signed24).stream },
  ]

  /// True if no sample exceeds 24 bits, and no packet the codec's maximum length.
  private func isSound(_ heard: DecodedPacket) -> Bool {
    heard.samples.count <= 2 * 65_536 && heard.peak <= 8_388_608
  }

  @Test(arguments: streams.indices)
  func mutationsDoNoHarm(index: Int) {
    let stream = Self.streams[index]()
    var random = SeededGenerator(UInt64(index))
    var decoder = stream.decoder([.bits16, .bits16Dithered, .bits24][index % 3])
    for _ in 0..<200 {
      var packet = stream.packets[Int.random(in: stream.packets.indices, using: &random)]
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        packet.bytes[Int.random(in: packet.bytes.indices, using: &random)] ^= .random(in: 1...255, using: &random)
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        packet.bytes.removeSubrange(Int.random(in: packet.bytes.indices, using: &random)...)
        packet.info.byteCount = packet.bytes.count
      }
      packet.info.followsGap = Int.random(in: 0..<10, using: &random) == 0
      #expect(isSound(decoder.decodePacket(packet, step: .random(in: 1...5_032, using: &random))))
    }
  }

  @Test(arguments: streams.indices)
  func garbageDoesNoHarm(index: Int) {
    let stream = Self.streams[index]()
    var random = SeededGenerator(UInt64(index))
    var decoder = stream.decoder()
    for count in [1, 2, 3, 7, 64, 1_000, 6_000, 20_000] + Array(repeating: 40, count: 200) {
      var packet = stream.packets[0]
      packet.bytes = random.bytes(count)
      packet.info.byteCount = count
      #expect(isSound(decoder.decodePacket(packet)))
    }
    // The decoder plays the next packets as well as before.
    decoder.reset()
    #expect(stream.packets.map { decoder.decodePacket($0) } == stream.hear())
  }

  /// libFLAC returns silence for a frame with a wrong checksum, and for missing frames.
  @Test func aFlacFrameWithAWrongChecksumIsNotHeard() {
    let stream = Self.flac()
    let truth = stream.hear()
    var packets = stream.packets
    for index in [5, 6, 20] { packets[index].bytes[packets[index].bytes.count / 2] ^= 0x10 }
    packets[25].bytes.insert(0, at: 0)
    packets[25].info.byteCount += 1
    // Missing packets add no frames.
    packets.removeSubrange(8..<12)
    var decoder = stream.decoder()
    let heard = packets.map { decoder.decodePacket($0) }
    let kept = Array(truth[..<8] + truth[12...])
    for (index, (one, other)) in zip(heard, kept).enumerated() {
      if [5, 6, 16, 21].contains(index) {
        #expect(one.error == .discardPacket)
      } else {
        #expect(one == other, "packet \(index)")
      }
    }
  }

  @Test(arguments: 0..<40)
  func flacIsExactInThePacketAfterADamage(seed: Int) {
    let stream = EncodedStream.flac(Signal(2, rate: 44_100, frames: 8_000, seed: 3), bits: 16, block: 1_152)
    let truth = stream.hear()
    var random = SeededGenerator(UInt64(seed))
    var packets = stream.packets
    // In the header or elsewhere; two bytes of a frame's mark may match later data.
    let place = seed % 2 == 0 ? seed % 12 : Int.random(in: packets[3].bytes.indices, using: &random)
    packets[3].bytes[place] = seed % 3 == 0 ? 0xFF : packets[3].bytes[place] ^ .random(in: 1...255, using: &random)
    guard packets[3].bytes != stream.packets[3].bytes else { return }
    var decoder = stream.decoder()
    let heard = packets.map { decoder.decodePacket($0) }
    #expect(heard[3].error == .discardPacket)
    #expect(heard[..<3] == truth[..<3] && heard[4...] == truth[4...])
  }

  /// The two packets after a failed packet are limited to 6 dB over the last audio.
  @Test(arguments: [true, false])
  func aFailedPacketHoldsTheNextTwo(isWhole: Bool) {
    let (quiet, loud) = (Self.flac(0.01), Self.flac(0.9))
    var packets = quiet.packets + loud.packets
    let start = quiet.packets.count
    if isWhole { packets[start].bytes[40] ^= 1 } else { packets[start].info.byteCount += 1 }
    var decoder = quiet.decoder()
    let heard = packets.map { decoder.decodePacket($0) }
    let limit = 2 * heard[..<start].peak
    #expect(heard[start].error == .discardPacket)
    #expect(heard[(start + 1)...(start + 2)].allSatisfy { $0.peak > 0 && $0.peak <= limit })
    #expect(heard[start + 3] == loud.hear()[3])
  }

  @Test(arguments: [2, 4])
  func aPacketThatTheLibraryRefusesIsDiscarded(index: Int) {
    let stream = Self.streams[index]()
    var packets = stream.packets
    // A Vorbis packet without audio; an Opus packet with frames of no length.
    packets[6].bytes = index == 2 ? [0x01] + packets[6].bytes.dropFirst() : [0xFF, 0x80, 0xFF]
    packets[6].info.byteCount = packets[6].bytes.count
    var decoder = stream.decoder()
    let heard = packets.map { decoder.decodePacket($0) }
    #expect(heard[6].error == .discardPacket)
    #expect(heard.indices.allSatisfy { $0 == 6 || heard[$0].error == nil })
    // Vorbis has no overlap for the next packet.
    #expect(index != 2 || heard[7].samples.isEmpty)
    #expect(heard[..<6] == stream.hear()[..<6])
    #expect(index != 2 || heard[9...] == stream.hear()[9...])
  }

  /// A truncated packet counts as missing.
  @Test func vorbisHasNothingToOverlapWithAPacketThatIsNotWhole() {
    let stream = Self.streams[2]()
    var packets = stream.packets
    packets[6].info.byteCount += 1
    var decoder = stream.decoder()
    let heard = packets.map { decoder.decodePacket($0) }
    #expect(heard[6].error == .discardPacket && heard[7].error == nil && heard[7].samples.isEmpty)
    #expect(heard[9...] == stream.hear()[9...])
  }

  /// Pieces that are too short, too long, or more than a packet may have; the decoder requests all pieces.
  @Test(arguments: [0, 6])
  func piecesThatMakeNoPacketAreDiscarded(index: Int) {
    let stream = Self.streams[index]()
    let truth = stream.hear()
    for (told, size) in [(1_000, 900), (1_000, 1_100), (600_000, 1_000), (0, 300), (-5, 300), (50, 100)] {
      var decoder = stream.decoder()
      #expect(decoder.decodePacket(stream.packets[0]) == truth[0])
      var info = stream.packets[1].info
      info.byteCount = told
      var left = size
      let room = UnsafeMutablePointer<UInt8>.allocate(capacity: 100 + PacketDecoder.guardByteCount)
      defer { room.deallocate() }
      room.initialize(repeating: 0, count: 100)
      left -= 100
      let pcm = try? decoder.decode(room, info, firstCount: 100) { _ in
        let count = min(100, left)
        left -= count
        return count
      }
      #expect(pcm == nil && left == 0)
      #expect(decoder.decodePacket(stream.packets[2]) == truth[2])
    }
  }
}

struct StreamGapTests {
  @Test func flacIsExactAtOnce() {
    let stream = DamagedStreamTests.streams[0]()
    var packets = Array(stream.packets[..<4] + stream.packets[9...])
    packets[4].info.followsGap = true
    var decoder = stream.decoder()
    let truth = stream.hear()
    #expect(packets.map { decoder.decodePacket($0) } == Array(truth[..<4] + truth[9...]))
  }

  /// The first packet after a gap has no audio to overlap with.
  @Test func vorbisIsExactAfterOnePacket() {
    let stream = DamagedStreamTests.streams[2]()
    var packets = Array(stream.packets[..<6] + stream.packets[10...])
    packets[6].info.followsGap = true
    var decoder = stream.decoder()
    let heard = packets.map { decoder.decodePacket($0) }
    let truth = stream.hear()
    #expect(heard[6].error == nil && heard[6].samples.isEmpty)
    #expect(heard[7...] == truth[11...] && heard.count > 10)
  }

  @Test func opusSoundsAsItsFirstPacketsAfterAGap() {
    let stream = DamagedStreamTests.streams[4]()
    var packets = stream.packets + stream.packets
    packets[stream.packets.count].info.followsGap = true
    var decoder = stream.decoder()
    let heard = packets.map { decoder.decodePacket($0) }
    #expect(Array(heard[stream.packets.count...]) == stream.hear())
    // Without this flag, the old audio overlaps the new audio.
    packets[stream.packets.count].info.followsGap = false
    #expect(packets.map { decoder.decodePacket($0) }[stream.packets.count...] != heard[stream.packets.count...])
  }

  @Test(arguments: DamagedStreamTests.streams.indices)
  func resetForgetsEverything(index: Int) {
    let stream = DamagedStreamTests.streams[index]()
    var decoder = stream.decoder()
    for packet in stream.packets.prefix(7) { _ = decoder.decodePacket(packet) }
    decoder.reset()
    #expect(stream.packets.map { decoder.decodePacket($0) } == stream.hear())
  }
}
