import MediaSupport
import Network
import RadioSupport
import StationSupport
import TestSupport
import Testing

/// Servers that make the stitch hard to find: an exact stitch continues the programme as sent, and others are reported
/// as estimates (R4.2).
@Suite struct JoinTruthTests {
  struct Trap: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var clip: Clip
    var isExact: Bool
    var script: @Sendable (Broadcast, ScriptedStation.Request) -> [StationAction]
  }

  private static let music = Clip.mp3(70)

  /// The programme, `seconds` later or earlier than its due position.
  private static func air(
    _ broadcast: Broadcast, _ visit: ScriptedStation.Request, moved seconds: Double
  ) -> [StationAction] {
    var moved = visit
    if visit.number > 0 { moved.time += seconds }
    return [.live()] + broadcast.actions(moved, for: visit.number == 0 ? 3 : 3_600)
  }

  private static func looped(_ clip: Clip, _ seconds: Double) -> Clip {
    Clip((0..<Int(seconds / clip.duration)).flatMap { _ in clip.bytes })
  }

  private static let silence = Clip(Repository.bytes("Tests/Support/Fixtures/silence-44100.mp3"))

  static let traps = [
    Trap(testDescription: "a relay that comes back as it was", clip: music, isExact: true) {
      air($0, $1, moved: 0)
    },
    Trap(testDescription: "a relay 3 s earlier", clip: music, isExact: true) { air($0, $1, moved: -3) },
    Trap(testDescription: "a relay 3 s later", clip: music, isExact: true) { air($0, $1, moved: 3) },
    Trap(testDescription: "a relay 24 s later", clip: music, isExact: false) { air($0, $1, moved: 24) },
    Trap(testDescription: "another encoder", clip: music, isExact: false) { broadcast, visit in
      visit.number == 0 ? air(broadcast, visit, moved: 0) : [.live(), .send(Clip.long(30, seed: 9).bytes), .stall]
    },
    Trap(testDescription: "digital silence", clip: looped(silence, 60), isExact: false) { air($0, $1, moved: 0) },
    Trap(testDescription: "a loop of one second", clip: looped(.mp3(1), 60), isExact: false) {
      air($0, $1, moved: 0)
    },
    Trap(
      testDescription: "silence where it was cut",
      clip: Clip(Clip.mp3(19).bytes + silence.bytes + Clip.mp3(40, from: 800).bytes), isExact: true
    ) { air($0, $1, moved: 0) },
    Trap(testDescription: "bursts that are cut themselves", clip: music, isExact: true) { broadcast, visit in
      guard (1...3).contains(visit.number), case .pace(let bytes, _, _) = broadcast.actions(visit)[0] else {
        return air(broadcast, visit, moved: 0)
      }
      let end: [StationAction] = visit.number == 2 ? [.reset] : []
      return [.live(), .send(Array(bytes.prefix(20_001)))] + end
    },
    Trap(testDescription: "a burst that comes slowly", clip: music, isExact: true) { broadcast, visit in
      guard visit.number > 0, case .pace(let bytes, let rate, let burst) = broadcast.actions(visit)[0] else {
        return air(broadcast, visit, moved: 0)
      }
      return [.live(), .pace(Array(bytes[..<burst]), perSecond: 2.5 * rate, burst: 4_000)]
        + [.pace(Array(bytes[burst...]), perSecond: rate, burst: Int(3.2 * rate))]
    },
    Trap(testDescription: "a station that begins anew with its jingle", clip: music, isExact: false) {
      broadcast, visit in
      // The last audible audio is the jingle's beginning; its rest and another programme follow.
      let second = Int(music.byteRate)
      switch visit.number {
      case 0: return air(broadcast, visit, moved: 0)
      default:
        guard broadcast.age(visit) > 16 else { return [] }
        let jingle = music.packets[700...880].flatMap(\.bytes)
        return [.live(), .pace(jingle + Clip.long(30, seed: 9).bytes, perSecond: Double(second), burst: 3 * second)]
      }
    },
  ]

  @Test("A stitch reported as exact is exact", arguments: traps)
  func joins(_ trap: Trap) async throws {
    try await Stage.run(speed: 4) {
      let broadcast = Broadcast(trap.clip, burst: 18)
      let station = try ScriptedStation { trap.script(broadcast, $0) }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      let stitch = try #require(bench.nextStitch())
      #expect(stitch.isExact == trap.isExact && stitch.isEstimated == !trap.isExact)
      guard trap.isExact else { return }
      #expect(stitch.lost == .zero && stitch.overlap > .zero)
      #expect(bench.run { bench.written > 30 })
      bench.readAll()
      #expect(bench.stitches.count == 1)
      #expect(difference(bench.readBytes, beginningOf: trap.clip.bytes) == nil)
    }
  }
}
