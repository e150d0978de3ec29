import Blocks
import DecoderBench
import Decoding
import Testing
import Units

/// PCM is that of the C libraries, called directly: every sample of every packet.
struct ExactnessTests {
  static let mpeg = [
    "cbr-44100.mp3", "vbr-44100.mp3", "mono-44100.mp3", "crc-48000.mp3", "free-44100.mp3", "cbr-22050.mp3",
    "cbr-8000.mp3", "layer2-44100.mp2", "layer1-44100.mp1", "layer1-crc-44100.mp1",
  ]
  static let aac = [
    "lc-44100.aac", "lc-mono-44100.aac", "lc-crc-48000.aac", "lc-22050.aac", "lc-16000.aac", "lc-mono-16000.aac",
    "he-44100.aac",
    "he2-44100.aac", "plain-44100.aac", "tour-5.1.aac",
  ]

  @Test(arguments: mpeg + aac, [SampleDepth.bits16, .bits24])
  func packetsSoundAsTheWholeFile(name: String, depth: SampleDepth) throws {
    let programme = try Programme(name)
    let heard = hear(programme.packets, depth)
    let reference = Reference(programme, depth)
    #expect(reference.frames.count == programme.packets.count)
    #expect(Self.differences(heard, reference).isEmpty)
  }

  /// The packets that did not come out as they should.
  static func differences(_ heard: [Heard], _ reference: Reference) -> [Int] {
    zip(heard, reference.frames).enumerated().filter { $1.0 != $1.1.heard }.map(\.offset)
  }
}
