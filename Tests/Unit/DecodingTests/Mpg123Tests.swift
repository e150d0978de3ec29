import Blocks
import CAllocGuard
import CReference
import DecoderBench
import Glibc
import SeededRandom
import Testing
import Units

@testable import Decoding

/// libmpg123 and libmad decode the same packets, and differ only by rounding.
struct Mpg123Tests {
  static let regular = [
    "cbr-44100.mp3", "vbr-44100.mp3", "mono-44100.mp3", "crc-48000.mp3", "cbr-22050.mp3", "cbr-8000.mp3",
  ]

  /// The difference of two outputs in decibels below full scale, and true if frames and rates are equal.
  static func compare(_ one: some Collection<DecodedPacket>, _ other: some Collection<DecodedPacket>) -> (
    psnr: Double, isAlike: Bool
  ) {
    let isAlike = zip(one, other).allSatisfy {
      $0.error == $1.error && $0.rate == $1.rate && $0.samples.count == $1.samples.count
    }
    var (noise, count) = (0.0, 0)
    for (heard, truth) in zip(one, other) where heard.samples.count == truth.samples.count {
      noise += reference_noise(heard.samples, truth.samples, heard.samples.count) * Double(heard.samples.count)
      count += heard.samples.count
    }
    let full = 8_388_608.0 * 8_388_608.0
    return (noise == 0 ? 200 : 10 * log10(full * Double(max(1, count)) / noise), isAlike && one.count == other.count)
  }

  @Test(arguments: regular, [(SampleDepth.bits24, 125.0), (.bits16, 100)])
  func soundsAsLibmad(name: String, depth: (SampleDepth, least: Double)) throws {
    let packets = try Programme(name).packets
    let (psnr, isAlike) = Self.compare(decodePackets(packets, depth.0, mp3: .mpg123), decodePackets(packets, depth.0))
    #expect(isAlike && psnr > depth.least, "\(psnr) dB")
  }

  /// Adds the same noise as with libmad, sample by sample.
  @Test func dithersAsLibmad() throws {
    let packets = try Programme("cbr-44100.mp3").packets
    let heard = decodePackets(packets, .bits16Dithered, mp3: .mpg123)
    #expect(heard.allSatisfy { $0.samples.allSatisfy { $0 & 0xFF == 0 } })
    #expect(heard != decodePackets(packets, .bits16, mp3: .mpg123))
    #expect(Self.compare(heard, decodePackets(packets, .bits16Dithered)).psnr > 100)
  }

  @Test(arguments: regular)
  func decodesEachPacketAtOnce(name: String) throws {
    var decoder = PacketDecoder(.bits24, mp3: .mpg123)
    for packet in try Programme(name).packets {
      #expect(decoder.decodePacket(packet).samples.count == 2 * packet.info.headerFrames)
    }
  }

  @Test(arguments: ["free-44100.mp3", "layer2-44100.mp2", "layer1-44100.mp1", "layer1-crc-44100.mp1"])
  func libmadDecodesTheRest(name: String) throws {
    let packets = try Programme(name).packets
    #expect(decodePackets(packets, mp3: .mpg123) == decodePackets(packets))
  }

  /// Rate, channels, layer and free format change without a gap, at the same cost as with libmad.
  @Test func formatsMayChange() throws {
    let names = [
      "cbr-44100.mp3", "mono-44100.mp3", "cbr-22050.mp3", "layer2-44100.mp2", "vbr-44100.mp3", "free-44100.mp3",
      "cbr-8000.mp3", "cbr-44100.mp3",
    ]
    let packets = try names.flatMap { try Programme($0).packets.prefix(30) }
    let (heard, truth) = (decodePackets(packets, mp3: .mpg123), decodePackets(packets))
    for start in stride(from: 0, to: packets.count, by: 30) {
      let part = start + 5..<start + 30
      let (psnr, isAlike) = Self.compare(heard[part], truth[part])
      #expect(isAlike && psnr > 125, "\(names[start / 30]): \(psnr) dB")
    }
    #expect(heard.map { $0.error } == truth.map { $0.error })
  }

  /// Starts within a programme at the same packet as libmad: the first packet with all its main data.
  @Test(arguments: regular)
  func joinsWhereLibmadJoins(name: String) throws {
    let packets = try Programme(name).packets
    for place in stride(from: 10, to: packets.count - 15, by: 7) {
      var some = packets[place - 2..<place] + packets[place + 4..<place + 14]
      some[some.startIndex + 2].info.followsGap = true
      let (heard, truth) = (decodePackets(some, mp3: .mpg123), decodePackets(some))
      #expect(heard.map { $0.error } == truth.map { $0.error })
      // After a gap, both filterbanks are empty.
      #expect(Self.compare(heard, truth).psnr > 125)
    }
  }

  @Test func headersTellTheLength() throws {
    for name in Self.regular {
      for packet in try Programme(name).packets {
        let header = Layer3Header(packet.bytes)
        #expect(header?.byteCount == packet.bytes.count && header?.rate == Int(packet.info.format.sampleRate.hertz))
      }
    }
    let lengths: [(UInt8, UInt8, length: Int?, longest: Int)] = [
      (0xFB, 0xE0, 1_044, 1_044), (0xFB, 0x92, 418, 1_044), (0xFB, 0x14, 96, 960), (0xF3, 0xE8, 720, 720),
      (0xE3, 0xE8, 1_440, 1_440), (0xFB, 0x00, nil, 0), (0xFB, 0xF0, nil, 0), (0xFB, 0x9C, nil, 0),
      (0xEB, 0x90, nil, 0), (0xFD, 0x90, nil, 0),
    ]
    for (second, third, length, longest) in lengths {
      let header = Layer3Header([0xFF, second, third, 0])
      #expect(header?.byteCount == length && (header?.maxByteCount ?? 0) == longest)
    }
  }
}

/// Damage with libmpg123: packets that libmad discards stay silent, and no packet exceeds the allowed level.
struct Mpg123DamageTests {
  /// Copies of each programme with changed, lost and added bytes. If large values exceed the packet's bits, libmad
  /// plays its beginning.
  @Test(arguments: Mpg123Tests.regular)
  func theSamePacketsAreHeard(name: String) throws {
    let programme = try Programme(name)
    var random = SeededGenerator(31)
    var (different, count) = (0, 0)
    for round in 0..<5 {
      var bytes = programme.bytes
      for _ in 0..<3 {
        let place = Int.random(in: 0..<bytes.count - 700, using: &random)
        DamageLevelTests.Damage.allCases[round].spoil(&bytes, at: place, &random)
      }
      let packets = Programme(bytes).packets
      let (heard, truth) = (decodePackets(packets, mp3: .mpg123), decodePackets(packets))
      different += zip(heard, truth).count { $0.error != $1.error }
      count += packets.count
    }
    #expect(different * 100 <= count, "\(different) of \(count)")
  }

  /// Damage that libmpg123 alone would decode.
  @Test(
    arguments: [
      // Granule 0 of the left channel, in bits after the header of 32 bits: 20 bits, then 12 bits of length.
      ("more values than a granule has", 64, 9, 300), ("no kind of block", 85, 3, 0b100),
      ("a table that there is not", 86, 5, 4),
    ])
  func impossibleSideInformationIsRefused(what: String, place: Int, count: Int, value: Int) throws {
    var packets = try Programme("cbr-44100.mp3").packets
    let truth = decodePackets(packets)
    for bit in 0..<count {
      let (index, mask) = ((place + bit) / 8, UInt8(0x80 >> ((place + bit) % 8)))
      packets[40].bytes[index] &= ~mask
      if value >> (count - 1 - bit) & 1 == 1 { packets[40].bytes[index] |= mask }
    }
    let heard = decodePackets(packets, mp3: .mpg123)
    #expect(heard[40].error == .discardPacket && decodePackets(packets)[40].error == .discardPacket)
    #expect(heard[41].error == nil)
    #expect(Mpg123Tests.compare(heard[42...], truth[42...]).psnr > 125)
    #expect(heard.peak <= truth.peak)
  }

  /// The bits of one granule end too early; libmpg123 alone would continue with silence.
  @Test func aPacketThatIsTornOffIsDiscarded() throws {
    let programme = try Programme("cbr-44100.mp3")
    let truth = decodePackets(programme.packets)
    // Granules 0 and 1, left. Without the check, the first half of the second packet would play.
    for place in [52, 170] {
      var packets = programme.packets
      for bit in 0..<12 {
        packets[40].bytes[(place + bit) / 8] &= ~UInt8(0x80 >> ((place + bit) % 8))
        if bit >= 7 { packets[40].bytes[(place + bit) / 8] |= UInt8(0x80 >> ((place + bit) % 8)) }
      }
      let heard = decodePackets(packets, mp3: .mpg123)
      #expect(heard[40].error == .discardPacket)
      #expect(Mpg123Tests.compare(heard[42...], truth[42...]).psnr > 125)
    }
  }

  /// Digital silence, and audio that ends in silence, are not damage.
  @Test func silenceIsHeard() throws {
    let programme = try Programme("silence-44100.mp3", "vbr-44100.mp3", "silence-44100.mp3")
    let (heard, truth) = (decodePackets(programme.packets, mp3: .mpg123), decodePackets(programme.packets))
    let (psnr, isAlike) = Mpg123Tests.compare(heard, truth)
    #expect(isAlike && psnr > 125 && heard.allSatisfy { $0.error == nil })
  }

  @Test func thousandsOfMutationsDoNoHarm() throws {
    var random = SeededGenerator(123)
    let programmes = try Mpg123Tests.regular.map { try Programme($0).packets }
    var decoder = PacketDecoder(.bits24, mp3: .mpg123)
    for _ in 0..<200 {
      guard let packets = programmes.randomElement(using: &random) else { continue }
      let start = Int.random(in: 0..<packets.count - 10, using: &random)
      for var packet in packets[start..<start + 10] {
        let low = Int.random(in: 0..<8, using: &random) == 0 ? 0 : 4
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          packet.bytes[Int.random(in: low..<packet.bytes.count, using: &random)] ^= .random(in: 1...255, using: &random)
        }
        if Int.random(in: 0..<8, using: &random) == 0 {
          packet.bytes.removeSubrange(Int.random(in: 1..<packet.bytes.count, using: &random)...)
          packet.info.byteCount = packet.bytes.count
        }
        packet.info.followsGap = Int.random(in: 0..<10, using: &random) == 0
        let heard = decoder.decodePacket(packet)
        #expect(heard.samples.count <= 2 * 1152 && heard.peak <= 8_388_608)
      }
    }
  }

  @Test(arguments: [(DamageLevelTests.mp3, 1), (DamageLevelTests.mp3WithCRC, 0)])
  func damageIsNoLouderThanTheProgramme(noise: DamageLevelTests.Noise, most: Int) throws {
    let packets = try noise.packets()
    let limit = 2 * decodePackets(packets, mp3: .mpg123).peak
    var random = SeededGenerator(UInt64(noise.rate))
    let count = 40
    var loud = 0
    for seed in 0..<count {
      let start = Int.random(in: 0..<packets.count - 32, using: &random)
      let run = packets[start..<start + 32]
      var bytes = run.flatMap(\.bytes)
      let first = run.prefix(16).reduce(0) { $0 + $1.bytes.count }
      let place = first + Int.random(in: 0..<run[start + 16].bytes.count, using: &random)
      DamageLevelTests.Damage.allCases[seed % 5].spoil(&bytes, at: place, &random)
      if decodePackets(Programme(bytes).packets, mp3: .mpg123).peak > limit { loud += 1 }
    }
    #expect(loud <= most)
  }

  /// libmpg123's code for arm64 adds in an order that depends on the start; results differ by half a step of 24 bits.
  private static func isSame(_ one: ArraySlice<DecodedPacket>, _ other: ArraySlice<DecodedPacket>) -> Bool {
    #if arch(arm64)
      one.elementsEqual(other) { one, other in
        one.error == other.error && one.rate == other.rate
          && one.samples.elementsEqual(other.samples) { abs($0 - $1) <= 1 }
      }
    #else
      one == other
    #endif
  }

  @Test(arguments: [DamageLevelTests.Sign.lostSync, .crc])
  func aSuspectPacketAndTheNextTwoAreHeld(sign: DamageLevelTests.Sign) throws {
    let (quiet, loud, held) = try sign.material()
    var packets = quiet + loud
    let truth = decodePackets(packets, mp3: .mpg123)
    let start = try #require(truth.indices.first { $0 >= quiet.count && truth[$0].peak > 2 * truth[..<$0].peak })
    let (limit, end) = (2 * truth[..<start].peak, start + held)
    sign.put(on: &packets[start])
    let heard = decodePackets(packets, mp3: .mpg123)
    #expect(truth[start..<end].peak > limit)
    #expect(heard[start..<end].peak <= limit && heard[start..<end].peak > 0)
    #expect(heard[..<start] == truth[..<start] && Self.isSame(heard[end...], truth[end...]))
  }

  @Test(
    .enabled(if: guard_works(), "a sanitizer has a malloc of its own"), arguments: ["vbr-44100.mp3", "cbr-8000.mp3"])
  func takesNoMemory(name: String) throws {
    let packets = try Programme(name).packets
    var decoder = PacketDecoder(.bits16Dithered, mp3: .mpg123)
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8192)
    let room = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * Period.frameCapacity)
    defer {
      bytes.deallocate()
      room.deallocate()
    }
    var heard = 0
    // libmpg123 allocates its memory at the first packet; Swift allocates metadata in debug builds.
    for (index, var packet) in (packets + packets).enumerated() {
      bytes.update(from: packet.bytes, count: packet.bytes.count)
      // A restart needs no more memory.
      packet.info.followsGap = index % packets.count == 20
      guard_start()
      let pcm = try? decoder.decode(bytes, packet.info)
      if let pcm { decoder.copy(pcm, from: 0, count: pcm.frameCount, to: room) }
      let counts = guard_stop()
      // Unoptimised code boxes an error.
      guard pcm != nil, index >= packets.count else { continue }
      heard += 1
      #expect(counts.allocations + counts.frees == 0, "packet \(index)")
    }
    #expect(heard > packets.count - 6 && heard < packets.count)
  }
}
