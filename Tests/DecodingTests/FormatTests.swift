import Blocks
import DecoderBench
import Decoding
import Testing
import Units

/// Rate, channels and level, as a listener would notice them.
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
    let pcm = try Programme(name).packets.compactMap { decoder.facts($0) }.filter { $0.frameCount > 0 }
    #expect(pcm.allSatisfy { $0.rate == SampleRate(rate) && $0.channels == channels })
    #expect(pcm.count > 20)
  }

  @Test func parametricStereoIsStereoAndMonoIsTwice() throws {
    let wide = hear(try Programme("he2-44100.aac").packets).flatMap(\.samples)
    #expect(stride(from: 0, to: wide.count, by: 2).contains { abs(wide[$0] - wide[$0 + 1]) > 100_000 })
    for name in ["mono-44100.mp3", "cbr-8000.mp3", "lc-mono-44100.aac", "lc-mono-16000.aac"] {
      let mono = hear(try Programme(name).packets).flatMap(\.samples)
      #expect(stride(from: 0, to: mono.count, by: 2).allSatisfy { mono[$0] == mono[$0 + 1] })
    }
  }

  // Each channel sounds alone in turn, in the order of a WAVE file; what it becomes, against the front left one.
  @Test(
    arguments: [
      ("tour-4.0.aac", [(1, 0), (0, 1), (0.707, 0.707), (0.707, 0.707)]),
      ("tour-5.1.aac", [(1, 0), (0, 1), (0.707, 0.707), (0, 0), (0.707, 0), (0, 0.707)]),
      ("tour-7.1.aac", [(1, 0), (0, 1), (0.707, 0.707), (0, 0), (0.707, 0), (0, 0.707), (0.707, 0), (0, 0.707)]),
    ] as [(String, [(left: Double, right: Double)])], [SampleDepth.bits16, .bits24])
  func manyChannelsAreMixedDown(tour: (name: String, gains: [(left: Double, right: Double)]), depth: SampleDepth) throws
  {
    let samples = hear(try Programme(tour.name).packets, depth).flatMap(\.samples)
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
    #expect(hear(wrong) == hear(programme.packets))
  }

  // The header's bit rate is struck out; what it says must come from the length, padded or not.
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
    #expect(hear(free) == hear(programme.packets))
  }
}
