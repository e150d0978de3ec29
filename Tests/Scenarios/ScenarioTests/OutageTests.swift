import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing

/// An outage of six seconds is inaudible, whatever its kind (R2.4, R4.1, R4.2).
@Suite struct OutageTests {
  enum Fault: CaseIterable { case cut, reset, stall, blackHole }

  private static let clip = Clip.mp3(30)
  private static let (start, end, burst) = (3.0, 9.0, 12.0)

  private static func script(_ fault: Fault, _ broadcast: Broadcast, _ visit: ScriptedStation.Request)
    -> [StationAction]
  {
    let age = broadcast.age(visit)
    if age >= end { return [.live()] + broadcast.actions(visit) }
    if visit.number == 0 {
      let told = Int((start + burst) * clip.byteRate)
      let (first, rest) = (Array(clip.bytes[..<told]), Array(clip.bytes[told...]))
      let late = StationAction.pace(rest, perSecond: clip.byteRate, burst: Int((end - start) * clip.byteRate))
      let fall: [StationAction] =
        switch fault {
        case .cut: []
        case .reset: [.reset]
        case .stall: [.wait(end - start), late]
        case .blackHole: [.stall]
        }
      return [.live(), .pace(first, perSecond: clip.byteRate, burst: Int(burst * clip.byteRate))] + fall
    }
    switch fault {
    case .cut: return []
    case .reset: return [.reset]
    case .blackHole: return [.stall]
    case .stall:
      var late = visit
      late.time += end - age
      return [.wait(end - age), .live()] + broadcast.actions(late)
    }
  }

  @Test("The buffer plays through an outage, with the PCM of an uncut run (R4.2, N2)", arguments: Fault.allCases)
  func unheard(_ fault: Fault) async throws {
    try await Stage.run(speed: 3) {
      let broadcast = Broadcast(Self.clip, burst: Self.burst)
      let station = try ScriptedStation { visit in Self.script(fault, broadcast, visit) }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.run(40) { rig.radio.status.heard > 15 })
      let pauses = zip(station.visits.dropFirst(), station.visits).map { $0.time - $1.time }
      #expect(pauses.reduce(0, +) >= Double(pauses.count) - 0.5, "never two tries within a second")
      #expect(rig.events("playing").count == 1 && !rig.names.contains("queueExhausted"))
      for case .stitched(let overlap, let lost, let isExact, _) in rig.events("stitched") {
        #expect(overlap > 0.5 && lost == 0 && isExact)
      }
      #expect(fault == .stall || rig.names.contains("stitched"))
      for case .reconnecting(_, let delay, let reason, _) in rig.events("reconnecting") {
        #expect(delay < 1.1 && reason.contains("127.0.0.1"))
      }
      let heard = rig.pcm
      let summary = rig.radio.close()
      #expect(summary.lost == 0)
      #expect(rig.holdsUnlessLate(summary.underruns == 0 && difference(heard, beginningOf: Self.clip.pcm()) == nil))
    }
  }
}
