import AudioOutput
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct ZapTests {
  private enum Order: CaseIterable {
    case tune, stopAndPlay
  }

  @Test("A zap out of a pause, or after pause, stop and play, does not wait for the render thread")
  func zap() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in [.live(), .send(Clip.mp3(30).bytes), .stall] }
      defer { station.close() }
      let rig = try RadioRig(InterruptionBench.settings, to: OutputRequest(.null))
      var latencies: [Order: [Double]] = [:]
      for turn in 0..<3 {
        for order in Order.allCases {
          rig.tune(station.url("/\(turn)"))
          try #require(rig.next("playing") != nil)
          rig.run(for: 0.3)
          rig.radio.pause()
          rig.run(for: 0.35)
          if order == .tune {
            rig.tune(station.url("/other/\(turn)"))
          } else {
            rig.radio.stop()
            rig.radio.play()
          }
          guard case .playing(_, let latency, _) = rig.next("playing") else { continue }
          latencies[order, default: []].append(latency)
        }
      }
      for order in Order.allCases {
        // A busy machine may be late at times, but not always.
        #expect((latencies[order]?.min() ?? 9) < 0.4, "\(order): \(latencies)")
      }
      _ = rig.radio.close()
    }
  }
}
