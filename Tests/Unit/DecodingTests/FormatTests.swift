import Blocks
import DecoderBench
import Decoding
import Testing
import Units

/// Rate, channels and level of the output.
struct FormatTests {
  @Test(
    arguments: [
      ("cbr-44100.mp3", 44_100, 2), ("mono-44100.mp3", 44_100, 1), ("cbr-22050.mp3", 22_050, 2),
      ("cbr-8000.mp3", 8_000, 1), ("layer1-44100.mp1", 44_100, 2), ("layer2-44100.mp2", 44_100, 2),
      ("lc-44100.aac", 44_100, 2), ("lc-mono-44100.aac", 44_100, 1), ("lc-16000.aac", 16_000, 2),
      ("lc-mono-16000.aac", 16_000, 1), ("he-44100.aac", 44_100, 2), ("he2-44100.aac", 44_100, 2),
      ("tour-4.0.aac", 48_000, 2), ("tour-5.1.aac", 48_000, 2), ("tour-7.1.aac", 48_000, 2),
    ])
  func rateAndChannelsAreThoseHeard(name: String, rate: Int32, channels: Int) throws {
    var decoder = PacketDecoder(.bits24)
    let pcm = try Programme(name).packets.compactMap { decoder.decodeFormat($0) }.filter { $0.frameCount > 0 }
    #expect(pcm.allSatisfy { $0.rate == SampleRate(rate) && $0.channels == channels })
    #expect(pcm.count > 20)
  }

  @Test func parametricStereoIsStereoAndMonoIsTwice() throws {
    let wide = decodePackets(try Programme("he2-44100.aac").packets).flatMap(\.samples)
    #expect(stride(from: 0, to: wide.count, by: 2).contains { abs(wide[$0] - wide[$0 + 1]) > 100_000 })
    for name in ["mono-44100.mp3", "cbr-8000.mp3", "lc-mono-44100.aac", "lc-mono-16000.aac"] {
      let mono = decodePackets(try Programme(name).packets).flatMap(\.samples)
      #expect(stride(from: 0, to: mono.count, by: 2).allSatisfy { mono[$0] == mono[$0 + 1] })
    }
  }

  // Each channel sounds alone, in the order of a WAVE file; levels relative to front left.
  @Test(
    arguments: [
      ("tour-4.0.aac", [(1, 0), (0, 1), (0.707, 0.707), (0.707, 0.707)]),
      ("tour-5.1.aac", [(1, 0), (0, 1), (0.707, 0.707), (0, 0), (0.707, 0), (0, 0.707)]),
      ("tour-7.1.aac", [(1, 0), (0, 1), (0.707, 0.707), (0, 0), (0.707, 0), (0, 0.707), (0.707, 0), (0, 0.707)]),
    ] as [(String, [(left: Double, right: Double)])], [SampleDepth.bits16, .bits24])
  func manyChannelsAreMixedDown(tour: (name: String, gains: [(left: Double, right: Double)]), depth: SampleDepth) throws
  {
    let samples = decodePackets(try Programme(tour.name).packets, depth).flatMap(\.samples)
    let turn = 12_000
    // The encoder's delay is less than a quarter of a turn.
    let levels = tour.gains.indices.map { place in
      let frames = (place * turn + turn / 2 - 2000)..<(place * turn + turn / 2 + 2000)
      return (left: level(frames.map { samples[2 * $0] }), right: level(frames.map { samples[2 * $0 + 1] }))
    }
    let front = levels[0].left
    #expect(front > 0.2 * 0.56 * 8_388_608)
    for (place, (level, ought)) in zip(levels, tour.gains).enumerated() {
      #expect(abs(level.left / front - ought.left) < 0.02, "channel \(place)")
      #expect(abs(level.right / front - ought.right) < 0.02, "channel \(place)")
    }
  }

  private func level(_ samples: [Int32]) -> Double {
    (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
  }

  @Test(arguments: ["crc-48000.mp3", "layer1-crc-44100.mp1"])
  func aWrongChecksumIsHeard(name: String) throws {
    let programme = try Programme(name)
    let wrong = programme.packets.map { packet in
      var packet = packet
      packet.bytes[4] ^= 0x55
      packet.bytes[5] ^= 0xAA
      return packet
    }
    #expect(decodePackets(wrong) == decodePackets(programme.packets))
  }

  // Removes the header's bit rate, so that the length determines the rate, with or without padding.
  @Test(
    arguments: [
      "cbr-44100.mp3", "cbr-22050.mp3", "crc-48000.mp3", "cbr-8000.mp3", "mono-44100.mp3", "layer1-44100.mp1",
      "layer2-44100.mp2",
    ])
  func freeFormatSoundsAsItsBitRate(name: String) throws {
    let programme = try Programme(name)
    let free = programme.packets.map { packet in
      var packet = packet
      packet.bytes[2] &= 0x0F
      packet.info.isFreeFormat = true
      return packet
    }
    let paddings = Set(free.map { $0.bytes[2] & 2 })
    #expect(paddings.count == 2 || !name.contains("44100"))
    #expect(decodePackets(free) == decodePackets(programme.packets))
  }
}

/// The station changes its format in mid-stream.
struct ChangeTests {
  /// A file, and the number of its first packets that overlap with the previous file.
  typealias Part = (name: String, blended: Int)

  @Test(
    arguments: [
      // A new rate, codec or AAC shape creates a new decoder, without old audio.
      [("cbr-44100.mp3", 0), ("crc-48000.mp3", 0), ("cbr-22050.mp3", 0), ("cbr-8000.mp3", 0), ("vbr-44100.mp3", 0)],
      [
        ("cbr-44100.mp3", 0), ("lc-44100.aac", 0), ("mono-44100.mp3", 0), ("he2-44100.aac", 0), ("layer2-44100.mp2", 0),
      ],
      [
        ("lc-44100.aac", 0), ("lc-mono-44100.aac", 0), ("he-44100.aac", 0), ("lc-16000.aac", 0),
        ("lc-mono-16000.aac", 0),
      ],
      [("tour-5.1.aac", 0), ("lc-crc-48000.aac", 0), ("lc-22050.aac", 0), ("layer1-44100.mp1", 0)],
      // Stereo to mono and back at one rate, or another encoder in the same format: one overlap.
      [("cbr-44100.mp3", 0), ("mono-44100.mp3", 1), ("vbr-44100.mp3", 1), ("cbr-44100.mp3", 1)],
      [("plain-44100.aac", 0), ("plain-44100.aac", 1)],
    ] as [[Part]])
  func everyPartSoundsAsAlone(parts: [Part]) throws {
    let packets = try parts.map { try Programme($0.name).packets.count }
    let stream = try Programme(parts.flatMap { try Programme($0.name).bytes })
    #expect(stream.packets.count == packets.reduce(0, +))
    #expect(stream.packets.allSatisfy { !$0.info.followsGap })
    let heard = decodePackets(stream.packets)
    var start = 0
    for ((name, blended), count) in zip(parts, packets) {
      let alone = Reference(try Programme(name), .bits24)
      let differences = ExactnessTests.differences(Array(heard[start..<start + count]), alone)
      #expect(differences.allSatisfy { $0 < blended }, "\(name): \(differences)")
      start += count
    }
  }

  @Test func aChangeBehindAGapForgetsTheReservoir() throws {
    let stereo = try Programme("cbr-44100.mp3").packets
    var mono = Array(try Programme("mono-44100.mp3").packets[20...])
    mono[0].info.followsGap = true
    let joined = Reference(Programme(mono.flatMap(\.bytes)), .bits24)
    let heard = Array(decodePackets(stereo[..<40] + mono)[40...])
    #expect(ExactnessTests.differences(heard, joined).isEmpty)
  }

  @Test func resetForgetsEverything() throws {
    for name in ["cbr-44100.mp3", "lc-44100.aac", "he2-44100.aac"] {
      let programme = try Programme(name)
      var decoder = PacketDecoder(.bits24)
      for packet in programme.packets[..<30] { _ = decoder.decodePacket(packet) }
      decoder.reset()
      #expect(programme.packets.map { decoder.decodePacket($0) } == decodePackets(programme.packets))
    }
  }
}
