import Blocks
import DecoderBench
import Decoding
import Testing
import SeededRandom

/// Packets whose bytes are not what an encoder wrote.
struct DamageTests {
  private static let all = ExactnessTests.mpeg + ExactnessTests.aac + ["tour-4.0.aac", "tour-7.1.aac"]

  /// Nothing of a damaged packet may leave 24 bits, or be longer than a packet.
  private func isSound(_ heard: Heard) -> Bool {
    heard.samples.count <= 4096 && heard.peak <= 8_388_608
  }

  private static func headerByteCount(_ packet: Packet) -> Int { packet.info.format.codec == .aac ? 9 : 6 }

  @Test(arguments: all)
  func garbageBehindAHeaderIsDiscardedOrBounded(name: String) throws {
    let programme = try Programme(name)
    var random = SeededGenerator(1)
    var decoder = PacketDecoder(.bits24)
    for var packet in programme.packets {
      for index in Self.headerByteCount(packet)..<packet.bytes.count {
        packet.bytes[index] = UInt8(truncatingIfNeeded: random.next())
      }
      #expect(isSound(decoder.hear(packet)))
    }
    // And it is not the worse for it.
    var first = programme.packets[0]
    first.info.followsGap = true
    let again = ([first] + programme.packets[1...]).map { decoder.hear($0) }
    let truth = hear(programme.packets)
    let settled = again.count - 10
    #expect(zip(again, truth).dropFirst(settled).allSatisfy { abs($0.power - $1.power) <= $1.power * 0.2 + 1e8 })
  }

  @Test(arguments: all)
  func packetsCutShortDoNoHarm(name: String) throws {
    let programme = try Programme(name)
    var decoder = PacketDecoder(.bits16)
    for (index, var packet) in programme.packets.enumerated() {
      let count = max(1, packet.bytes.count * (index % 12) / 12)
      packet.bytes.removeSubrange(count...)
      packet.info.byteCount = count
      #expect(isSound(decoder.hear(packet)))
    }
  }

  @Test(arguments: [SampleDepth.bits16, .bits24])
  func tenThousandMutationsDoNoHarm(depth: SampleDepth) throws {
    var random = SeededGenerator(depth == .bits24 ? 24 : 16)
    let programmes = try Self.all.map { try Programme($0).packets }
    var decoder = PacketDecoder(depth)
    for _ in 0..<500 {
      guard let packets = programmes.randomElement(using: &random) else { continue }
      let start = Int.random(in: 0..<packets.count - 10, using: &random)
      for var packet in packets[start..<start + 10] {
        // Mostly behind the header; a framer hands out no packet without one.
        let isAnywhere = Int.random(in: 0..<8, using: &random) == 0
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let low = isAnywhere ? 0 : Self.headerByteCount(packet)
          packet.bytes[Int.random(in: low..<packet.bytes.count, using: &random)] ^= UInt8.random(
            in: 1...255, using: &random)
        }
        packet.info.followsGap = Int.random(in: 0..<10, using: &random) == 0
        #expect(isSound(decoder.hear(packet)))
      }
    }
  }

  @Test(arguments: [("cbr-44100.mp3", 1), ("layer2-44100.mp2", 1), ("cbr-22050.mp3", 2)])
  func aPacketThatDoesNotDecodeCostsOneOverlap(name: String, lacking: Int) throws {
    let programme = try Programme(name)
    let truth = hear(programme.packets)
    var packets = programme.packets
    // A reserved sample rate.
    packets[40].bytes[2] |= 0x0C
    let heard = hear(packets)
    #expect(heard[40].error == .discardPacket)
    let first = try #require(heard[41...].firstIndex { $0.error == nil })
    #expect(heard[(first + lacking)...] == truth[(first + lacking)...])
    #expect(heard.peak <= truth.peak)
  }

  @Test func aDamagedPacketCostsAacItAndTheNext() throws {
    let programme = try Programme("plain-44100.aac")
    let truth = hear(programme.packets)
    var packets = programme.packets
    for index in 7..<packets[40].bytes.count { packets[40].bytes[index] = 0xFF }
    let heard = hear(packets)
    #expect(heard[40].error == .discardPacket)
    #expect(heard[41].error == .discardPacket)
    #expect(heard[42...] == truth[42...])
    #expect(heard.peak <= truth.peak)
  }
}
