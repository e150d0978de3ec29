import Blocks
import DecoderBench
import Decoding
import SeededRandom
import Testing
import Units

struct DamageTests {
  private static let all = ExactnessTests.mpeg + ExactnessTests.aac + ["tour-4.0.aac", "tour-7.1.aac"]

  /// True if no sample exceeds 24 bits, and no packet its maximum length.
  private func isSound(_ heard: DecodedPacket) -> Bool {
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
      #expect(isSound(decoder.decodePacket(packet)))
    }
    // The decoder plays the next packet as well as before.
    var first = programme.packets[0]
    first.info.followsGap = true
    let again = ([first] + programme.packets[1...]).map { decoder.decodePacket($0) }
    let truth = decodePackets(programme.packets)
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
      #expect(isSound(decoder.decodePacket(packet)))
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
        // Mostly after the header, because framers return only packets with a header.
        let isAnywhere = Int.random(in: 0..<8, using: &random) == 0
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let low = isAnywhere ? 0 : Self.headerByteCount(packet)
          packet.bytes[Int.random(in: low..<packet.bytes.count, using: &random)] ^= UInt8.random(
            in: 1...255, using: &random)
        }
        packet.info.followsGap = Int.random(in: 0..<10, using: &random) == 0
        #expect(isSound(decoder.decodePacket(packet)))
      }
    }
  }

  @Test(arguments: [("cbr-44100.mp3", 1), ("layer2-44100.mp2", 1), ("cbr-22050.mp3", 2)])
  func aPacketThatDoesNotDecodeCostsOneOverlap(name: String, lacking: Int) throws {
    let programme = try Programme(name)
    let truth = decodePackets(programme.packets)
    var packets = programme.packets
    // A reserved sample rate.
    packets[40].bytes[2] |= 0x0C
    let heard = decodePackets(packets)
    #expect(heard[40].error == .discardPacket)
    let first = try #require(heard[41...].firstIndex { $0.error == nil })
    #expect(heard[(first + lacking)...] == truth[(first + lacking)...])
    #expect(heard.peak <= truth.peak)
  }

  @Test func aDamagedPacketCostsAacItAndTheNext() throws {
    let programme = try Programme("plain-44100.aac")
    let truth = decodePackets(programme.packets)
    var packets = programme.packets
    for index in 7..<packets[40].bytes.count { packets[40].bytes[index] = 0xFF }
    let heard = decodePackets(packets)
    #expect(heard[40].error == .discardPacket)
    #expect(heard[41].error == .discardPacket)
    #expect(heard[42...] == truth[42...])
    #expect(heard.peak <= truth.peak)
  }
}

/// Damaged packets are at most 6 dB louder than the programme if the damage is detectable.
struct DamageLevelTests {
  /// Quiet noise, about 1,000 of 32,768, in one format.
  struct Noise: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let codec: Codec
    let rate: Int32

    func packets() throws -> [Packet] {
      try Programme("quiet-noise.bin").packets.filter {
        $0.info.format.codec == codec && $0.info.format.sampleRate == SampleRate(rate)
      }
    }
  }

  static let mp3 = Noise(testDescription: "MP3", codec: .mpegLayer3, rate: 44_100)
  static let mp3WithCRC = Noise(testDescription: "MP3 with CRC", codec: .mpegLayer3, rate: 48_000)
  static let aac = Noise(testDescription: "AAC-LC", codec: .aac, rate: 44_100)
  static let heAac = Noise(testDescription: "HE-AAC", codec: .aac, rate: 22_050)

  enum Damage: CaseIterable {
    case oneByte, eightBytes, garbage, lostBytes, addedBytes

    func spoil(_ bytes: inout [UInt8], at place: Int, _ random: inout SeededGenerator) {
      let count = Int.random(in: 1...300, using: &random)
      switch self {
      case .oneByte: bytes[place] ^= UInt8.random(in: 1...255, using: &random)
      case .eightBytes:
        for _ in 0..<8 {
          bytes[place + Int.random(in: 0..<300, using: &random)] ^= .random(in: 1...255, using: &random)
        }
      case .garbage: bytes.replaceSubrange(place..<place + count, with: random.bytes(count))
      case .lostBytes: bytes.removeSubrange(place..<place + count)
      case .addedBytes: bytes.insert(contentsOf: random.bytes(count), at: place)
      }
    }
  }

  /// A thousand damaged packets. Damage of a gain, scale factor or SBR level has no redundancy; only a CRC protects it.
  @Test(arguments: [(mp3, 3.0), (mp3WithCRC, 0.0), (aac, 2.0), (heAac, 2.0)])
  func damageIsNoLouderThanTheProgramme(noise: Noise, mostPercent: Double) throws {
    let packets = try noise.packets()
    let most = 2 * Int(decodePackets(packets).peak)
    var random = SeededGenerator(UInt64(noise.rate))
    let count = 250
    var (loud, loudest) = (0, 0)
    for seed in 0..<count {
      let start = Int.random(in: 0..<packets.count - 32, using: &random)
      let run = packets[start..<start + 32]
      var bytes = run.flatMap(\.bytes)
      let first = run.prefix(16).reduce(0) { $0 + $1.bytes.count }
      let place = first + Int.random(in: 0..<run[start + 16].bytes.count, using: &random)
      Damage.allCases[seed % Damage.allCases.count].spoil(&bytes, at: place, &random)
      let spoilt = Programme(bytes).packets
      let heard = decodePackets(spoilt)
      guard let index = heard.firstIndex(where: { Int($0.peak) > most }) else { continue }
      loud += 1
      loudest = max(loudest, Int(heard.peak))
      #expect(heard[(index - 2)...index].allSatisfy { $0.error == nil })
      #expect(spoilt[(index - 3)...index].allSatisfy { !$0.info.followsGap })
    }
    print("damage: \(noise.testDescription): \(loud) of \(count) above 6 dB, the loudest \(loudest >> 8) of 32,768")
    #expect(Double(loud) / Double(count) * 100 <= mostPercent)
  }

  @Test(arguments: [("silence-44100.mp3", "vbr-44100.mp3"), ("silence-44100.aac", "lc-44100.aac")])
  func fullScaleAfterSilenceIsUntouched(silence: String, sound: String) throws {
    let programme = try Programme(silence, sound)
    let heard = decodePackets(programme.packets)
    #expect(ExactnessTests.differences(heard, Reference(programme, .bits24)).isEmpty)
    #expect(heard.count == programme.packets.count && Int(heard.peak) > 5_000_000)
  }

  /// Signs of damage in a loud packet after quiet packets.
  enum Sign: CaseIterable {
    case lostSync, crc, unsoundEnd

    /// Returns quiet packets, loud packets after them, and the number of limited packets.
    func material() throws -> (quiet: [Packet], loud: [Packet], held: Int) {
      switch self {
      // The packet, the next packet and the two after them.
      case .lostSync: (try DamageLevelTests.mp3.packets(), try Programme("cbr-44100.mp3").packets, 4)
      case .crc: (try DamageLevelTests.mp3WithCRC.packets(), try Programme("crc-48000.mp3").packets, 3)
      case .unsoundEnd: (try DamageLevelTests.aac.packets(), try Programme("lc-44100.aac").packets, 3)
      }
    }

    func put(on packet: inout Packet) {
      switch self {
      case .lostSync: packet.info.followsGap = true
      case .crc: packet.bytes[4] ^= 0x55
      case .unsoundEnd:
        packet.bytes.append(0)
        packet.info.byteCount += 1
      }
    }
  }

  @Test(arguments: Sign.allCases, [SampleDepth.bits16, .bits24])
  func aSuspectPacketAndTheNextTwoAreHeld(sign: Sign, depth: SampleDepth) throws {
    let (quiet, loud, held) = try sign.material()
    var packets = quiet + loud
    let truth = decodePackets(packets, depth)
    let start = try #require(truth.indices.first { $0 >= quiet.count && truth[$0].peak > 2 * truth[..<$0].peak })
    let (limit, end) = (2 * truth[..<start].peak, start + held)
    sign.put(on: &packets[start])
    let heard = decodePackets(packets, depth)
    #expect(truth[start..<end].peak > limit)
    #expect(heard[start..<end].peak <= limit && heard[start..<end].peak > 0)
    #expect(heard[..<start] == truth[..<start] && heard[end...] == truth[end...])
    #expect(depth == .bits24 || heard.allSatisfy { $0.samples.allSatisfy { $0 & 0xFF == 0 } })
  }

  /// A sign in every packet of an encoder shows no damage.
  @Test(arguments: [Sign.crc, .unsoundEnd])
  func aSignThatIsAlwaysThereTellsNothing(sign: Sign) throws {
    let (quiet, loud, _) = try sign.material()
    let packets = quiet + loud
    let wrong = packets.map { packet in
      var packet = packet
      sign.put(on: &packet)
      return packet
    }
    #expect(decodePackets(wrong) == decodePackets(packets))
  }

  /// Without audio before the packet, the comparison has no level.
  @Test func aSuspectBeginningIsNotHeard() throws {
    var packets = try Programme("cbr-44100.mp3").packets
    let truth = decodePackets(packets)
    packets[0].bytes[2] |= 0x0C
    let heard = decodePackets(packets)
    #expect(heard[..<3].allSatisfy { $0.error == .discardPacket && $0.samples.isEmpty })
    #expect(heard[6...] == truth[6...])
  }
}
