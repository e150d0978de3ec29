import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// An interruption is inaudible if the server's burst reaches back far enough (R4.2).
@Suite struct StitchTests {
  @Test(
    "Reconnects join the buffer, and the audio equals an uncut run",
    arguments: ["MP3", "AAC", "RST", "data stops"])
  func seamless(kind: String) async throws {
    try await Stage.run {
      let clip = kind == "AAC" ? Clip.aac(20) : Clip.mp3(20)
      let broadcast = Broadcast(clip, burst: 3)
      let station = try ScriptedStation { visit in
        let head = StationAction.live(type: kind == "AAC" ? "audio/aac" : "audio/mpeg")
        let cut: [StationAction] = kind == "RST" ? [.reset] : kind == "data stops" ? [.stall] : []
        return [head] + broadcast.actions(visit, for: 0.7 + Double(visit.number % 3) / 5) + cut
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) { $0.dataTimeout = Duration(milliseconds: 1_000) }
      #expect(rig.run(15) { rig.events("stitched").count == 3 })
      for case .stitched(let overlap, let lost, let isExact, let isEstimated) in rig.events("stitched") {
        #expect(overlap > 0.5 && lost == 0 && isExact && !isEstimated)
      }
      rig.run(for: 0.5)
      #expect(rig.events("playing").count == 1)
      let heard = rig.pcm
      let summary = rig.radio.close()
      #expect((summary.stitches, summary.lost) == (rig.events("stitched").count, 0))
      #expect(heard.count > 176_400 * 2)
      #expect(rig.holdsUnlessLate(summary.underruns == 0 && difference(heard, beginningOf: clip.pcm()) == nil))
    }
  }

  @Test("A rewind across a stitch plays like an uncut run, with its titles (R3.5, N1)")
  func rewindsOver() async throws {
    try await Stage.run {
      let clip = Clip.mp3(24)
      let second = Int(clip.byteRate)
      let cues = [(at: 0, text: "One"), (at: 9 * second, text: "Two")]
      // The second connection starts at 5 s; the first ends at 8 s.
      let borders = clip.packetOffsets
      let station = try ScriptedStation { visit in
        let first = visit.number == 0 ? 0 : borders.first { $0 > 5 * second } ?? 0
        let part = Array(clip.bytes[first..<(visit.number == 0 ? 8 * second : clip.bytes.count)])
        let moved = cues.map { (at: max(0, $0.at - first), text: $0.text) }
        let mixed = Icy.interleave(part, metaint: 1_000, titles: moved)
        return [.live("icy-metaint: 1000"), .send(mixed)] + (visit.number == 0 ? [] : [.stall])
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) { $0.liveAhead = StreamTime(seconds: 300) }
      guard case .stitched(_, let lost, let isExact, _) = rig.next("stitched") else {
        Issue.record("the connections were not joined")
        return
      }
      #expect(isExact && lost == 0)
      #expect(rig.run(5) { rig.radio.status.blocks.written.seconds > clip.duration - 0.1 })
      rig.radio.forward(by: 14)
      #expect(rig.next("seekDone", within: 5) != nil)
      #expect(rig.run(5) { rig.radio.status.title?.text == "Two" })
      rig.radio.rewind(by: rig.radio.status.position - 7)
      guard case .seekDone(let position, _) = rig.next("seekDone", within: 2) else {
        Issue.record("no seek was done")
        return
      }
      #expect(abs(position - 7) < 0.1)
      #expect(rig.run(2) { rig.radio.status.title?.text == "One" })
      #expect(rig.run(5) { rig.radio.status.title?.text == "Two" })
      rig.run(for: 0.5)
      let tail = Sound(Array(rig.pcm.suffix(2 * 176_400)))
      let place = Sound(clip.pcm()).place(of: tail)
      #expect(rig.holdsUnlessLate(place.map { $0 > 7 && $0 < 8 } == true), "\(place ?? -1)")
    }
  }

  @Test("The loss during an outage is reported in seconds, as an estimate")
  func gap() async throws {
    try await Stage.run {
      let clip = Clip.mp3(30)
      let broadcast = Broadcast(clip, burst: 2)
      let station = try ScriptedStation { visit in
        switch visit.number {
        case 0: [.live()] + broadcast.actions(visit, for: 1)
        case 1...3: []
        default: [.live()] + broadcast.actions(visit)
        }
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      guard case .stitched(_, let lost, let isExact, let isEstimated) = rig.next("stitched", within: 15) else {
        Issue.record("the station did not come back")
        return
      }
      let times = station.visits.map(\.time)
      // The first connection ends 1 s after its burst; the last burst starts at its connection's time.
      try #require(times.count > 4)
      let missing = times[4] - times[0] - 3
      #expect(!isExact && isEstimated)
      #expect(abs(lost - missing) < 0.7)
      #expect(abs(rig.radio.close().lost - lost) < 0.001)
    }
  }

  @Test("Repetitive audio proves no stitch")
  func repeating() async throws {
    try await Stage.run {
      let packet = ToneMp3.frames(1)
      let clip = Clip((0..<700).flatMap { _ in packet })
      let broadcast = Broadcast(clip, burst: 2)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit, for: 1) }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      guard case .stitched(_, _, let isExact, _) = rig.next("stitched", within: 10) else {
        Issue.record("nothing was joined")
        return
      }
      #expect(!isExact)
      #expect(!rig.names.contains("queueExhausted"))
    }
  }
}
