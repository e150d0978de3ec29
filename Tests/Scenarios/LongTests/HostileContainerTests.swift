import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Broken, absurd or endless Ogg, FLAC or WAV plays or fails with a sentence; the next station plays (R1.12, C1, C2).
@Suite struct HostileContainerTests {
  @Test("A file that contradicts its header or checksum is played or refused", arguments: HostileContainer.wrong)
  func wrong(_ server: HostileContainer) async throws { try await Self.plays(server) }

  @Test("A file without an end is played as far as it is valid, or refused", arguments: HostileContainer.endless)
  func endless(_ server: HostileContainer) async throws { try await Self.plays(server) }

  @Test("A truncated file is played up to its end, or refused", arguments: HostileContainer.cut)
  func cut(_ server: HostileContainer) async throws { try await Self.plays(server) }

  private static func plays(_ server: HostileContainer) async throws {
    try await Stage.run(speed: 8) {
      let good = try ScriptedStation([.live(), .send(Clip.mp3(3).bytes), .stall])
      let station = try server.station()
      defer {
        station.close()
        good.close()
      }
      let rig = try RadioRig(format: "s24le/48000/2")
      rig.tune(station.url("/sound")) {
        $0.patience = Duration(milliseconds: 20_000)
        $0.dataTimeout = Duration(milliseconds: 5_000)
        $0.retry = .times(1)
      }
      let wanted: Double
      switch server.outcome {
      case .sounds(let seconds): wanted = seconds
      case .either: wanted = 0.2
      case .fails: wanted = .infinity
      }
      let hasEnded = rig.run(90) { rig.radio.state == .stopped || rig.radio.status.heard >= wanted }
      let heard = rig.radio.status.heard
      #expect(hasEnded, "it is \(rig.radio.state) with \(heard) s heard: \(rig.names.suffix(8))")
      if case .sounds = server.outcome { #expect(heard >= wanted, "\(heard) s: \(rig.names.suffix(8))") }
      if rig.radio.state == .stopped, heard == 0 {
        #expect(rig.radio.failure?.sentence.isEmpty == false, "\(rig.names)")
      }
      let before = rig.events.count
      rig.tune(good.url())
      #expect(rig.run(40) { rig.events[before...].contains { $0.event.name == "playing" } }, "\(rig.names.suffix(8))")
      _ = rig.radio.close()
    }
  }
}
