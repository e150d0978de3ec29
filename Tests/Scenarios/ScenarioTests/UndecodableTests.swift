import Network
import RadioEngine
import RadioSupport
import SeededRandom
import StationSupport
import TestSupport
import Testing
import Units

/// A stream that resembles audio but cannot be decoded is reported as no audio (R1.12).
@Suite struct UndecodableTests {
  /// Valid headers with random content, like encrypted packets.
  private static let scrambled: [UInt8] = {
    var random = SeededGenerator(91)
    return Clip.aac(25).packets.flatMap { $0.bytes.prefix(7) + random.bytes($0.bytes.count - 7) }
  }()

  @Test("Undecodable packets are refused as no audio within 15 s", arguments: ["live", "file"])
  func refused(kind: String) async throws {
    try await Stage.run(speed: 2) {
      let station = try ScriptedStation { _ in
        if kind == "file" { return [.file(Self.scrambled.count, type: "audio/aac"), .send(Self.scrambled)] }
        return [.live(type: "audio/aac"), .pace(Self.scrambled, perSecond: 16_000, burst: 32_000), .stall]
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/sound.aac"))
      #expect(rig.playOut(within: 15), "\(rig.names)")
      #expect(rig.events.last?.event == .stopped(.error) && rig.names.contains("badContent"), "\(rig.names)")
      #expect(rig.radio.failure?.cause == .notAudio && rig.radio.status.heard == 0)
      #expect(!rig.names.contains("playing"))
    }
  }

  @Test("One undecodable second at a station's start is skipped")
  func aSecondOfIt() async throws {
    try await Stage.run {
      let head = Array(Self.scrambled.prefix(16_000))
      let station = try ScriptedStation([.live(type: "audio/aac"), .send(head + Clip.aac(20).bytes), .stall])
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("playing") != nil)
      #expect(rig.run { rig.radio.status.position > 3 } && !rig.names.contains("badContent"))
    }
  }
}
