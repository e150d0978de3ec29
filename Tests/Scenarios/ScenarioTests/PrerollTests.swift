import Foundation
import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// A pre-roll before the programme of each connection (B4).
@Suite struct PrerollTests {
  private static let cutCount = 3

  /// Plays a station that is cut several times, each time 4 s after its burst. Returns the PCM.
  private static func play(_ broadcast: PrerollStation, _ rig: RadioRig) throws -> [UInt8] {
    let station = try ScriptedStation { visit in
      let end: [StationAction] = visit.number % 2 == 0 ? [.reset] : []
      let isLast = visit.number == cutCount
      return broadcast.actions(visit, for: isLast ? 3_600 : 4) + (isLast ? [] : end)
    }
    defer { station.close() }
    rig.tune(station.url()) { $0.liveAhead = StreamTime(seconds: 120) }
    #expect(rig.run(400) { rig.events("stitched").count == cutCount }, "\(rig.names)")
    let joined = rig.radio.status.heard
    #expect(rig.run(60) { rig.radio.status.heard > joined + 22 })
    return rig.pcm
  }

  @Test("A programme that its pre-roll delays is unbroken after each cut (B4)", arguments: [false, true])
  func delayed(isMarked: Bool) async throws {
    try await Stage.run(speed: 6) {
      let server = PrerollStation.Server(adSeconds: 15, isMarked: isMarked, isLive: false, bursts: (18, 18))
      let broadcast = PrerollStation(server, seconds: 200)
      let rig = try RadioRig(isPaced: true)
      let heard = try Self.play(broadcast, rig)
      for case .stitched(_, let lost, let isExact, let isEstimated) in rig.events("stitched") {
        #expect(lost == 0 && isExact && !isEstimated)
      }
      let whole = Clip(broadcast.ad.bytes + broadcast.programme.bytes).pcm()
      #expect(rig.holdsUnlessLate(rig.radio.status.underruns == 0 && difference(heard, beginningOf: whole) == nil))
      #expect(rig.events("adBreak").count == (isMarked ? 2 : 0))
      _ = rig.radio.close()
    }
  }

  @Test(
    "A programme that is live after its pre-roll leaves a reported hole, without the pre-roll (B4)",
    arguments: [false, true])
  func live(isMarked: Bool) async throws {
    try await Stage.run(speed: 6) {
      let server = PrerollStation.Server(adSeconds: 15, isMarked: isMarked, isLive: true, bursts: (40, 8))
      let broadcast = PrerollStation(server, seconds: 200)
      let rig = try RadioRig(isPaced: true)
      let heard = try Self.play(broadcast, rig)
      let ad = broadcast.ad.pcm()
      let middle = Data(ad[ad.count / 2..<ad.count / 2 + 40_000])
      let all = Data(heard)
      #expect(all.range(of: middle) != nil && all.range(of: middle, in: ad.count..<all.count) == nil)
      let lost = rig.events("stitched").compactMap { event in
        if case .stitched(_, let lost, false, true) = event { lost } else { nil }
      }
      #expect(lost.count == Self.cutCount)
      #expect(zip(lost, broadcast.holes).allSatisfy { abs($0 - $1) < 1.5 }, "\(lost) \(broadcast.holes)")
      _ = rig.radio.close()
    }
  }
}
