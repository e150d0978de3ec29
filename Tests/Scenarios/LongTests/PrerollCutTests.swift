import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Ten cuts of a station that sends a pre-roll before its programme on each connection (B4).
@Suite struct PrerollCutTests {
  private static let cutCount = 10

  @Test(
    "Ten pre-rolls are not heard: a delayed programme is unbroken, and a live one has reported holes (B4)",
    arguments: [15.0, 30], [(false, false), (false, true), (true, false), (true, true)])
  func tenCuts(seconds: Double, kind: (isMarked: Bool, isLive: Bool)) async throws {
    try await Stage.run(speed: 4) {
      let bursts = kind.isLive ? (first: seconds + 55, later: seconds - 5) : (first: seconds + 5, later: seconds + 5)
      let server = PrerollStation.Server(
        adSeconds: seconds, isMarked: kind.isMarked, isLive: kind.isLive, bursts: bursts)
      let broadcast = PrerollStation(server, seconds: 11 * (seconds + 6) + bursts.first + 60)
      let station = try ScriptedStation { visit in
        let isLast = visit.number >= Self.cutCount
        let end: [StationAction] = isLast || visit.number % 2 == 1 ? [] : [.reset]
        return broadcast.actions(visit, for: isLast ? 3_600 : 4) + end
      }
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.blockCount = 700
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url()) { $0.liveAhead = StreamTime(seconds: 400) }
      #expect(rig.run(900) { rig.events("stitched").count == Self.cutCount }, "\(rig.names)")
      let joined = rig.radio.status.position
      #expect(rig.run(600) { rig.radio.status.position > joined + rig.radio.status.blocks.ahead.seconds })
      let heard = rig.pcm
      let ad = broadcast.ad.pcm()
      let middle = Data(ad[ad.count / 2..<ad.count / 2 + 40_000])
      #expect(rig.holdsUnlessLate(Data(heard).range(of: middle, in: ad.count..<heard.count) == nil))
      let stitches = rig.events("stitched").compactMap { event in
        if case .stitched(_, let lost, let isExact, _) = event { (lost: lost, isExact: isExact) } else { nil }
      }
      // The arrival times of a fast clock are uncertain. A late machine may have more connections than cuts.
      let hasMore = station.visits.count > Self.cutCount + 1
      if kind.isLive {
        let areReported = zip(stitches, broadcast.holes).allSatisfy { !$0.isExact && abs($0.lost - $1) < 1.5 }
        #expect(rig.holdsUnlessLate(areReported, or: hasMore), "\(stitches) \(broadcast.holes)")
      } else {
        #expect(rig.holdsUnlessLate(stitches.allSatisfy { $0.isExact && $0.lost == 0 }, or: hasMore))
        let whole = Clip(broadcast.ad.bytes + broadcast.programme.bytes).pcm()
        #expect(rig.holdsUnlessLate(rig.radio.status.underruns == 0 && difference(heard, beginningOf: whole) == nil))
      }
      _ = rig.radio.close()
    }
  }
}
