import Blocks
import DecoderBench
import Decoding
import Testing
import Units

/// The station changes what it sends, in mid-stream.
struct ChangeTests {
  /// A file, and how many of its first packets still sound of the one before it.
  typealias Part = (name: String, blended: Int)

  @Test(
    arguments: [
      // Another rate, codec or AAC shape begins a new decoder: nothing of the old is heard.
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
    let heard = hear(stream.packets)
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
    let heard = Array(hear(stereo[..<40] + mono)[40...])
    #expect(ExactnessTests.differences(heard, joined).isEmpty)
  }

  @Test func resetForgetsEverything() throws {
    for name in ["cbr-44100.mp3", "lc-44100.aac", "he2-44100.aac"] {
      let programme = try Programme(name)
      var decoder = PacketDecoder(.bits24)
      for packet in programme.packets[..<30] { _ = decoder.hear(packet) }
      decoder.reset()
      #expect(programme.packets.map { decoder.hear($0) } == hear(programme.packets))
    }
  }
}
