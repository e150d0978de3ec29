import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct StarvationTests {
  @Test("An underrun is reported, the ring refills before playback, and that is reported too (R2.2, R5)")
  func starvesAndRefills() async throws {
    try await Stage.run {
      let clip = Clip.mp3(6)
      let more = Gate()
      let start = clip.prefix(1.5).bytes
      let station = try ScriptedStation([
        .live(), .send(start), .gate(more),
        .pace(Array(clip.bytes.dropFirst(start.count)), perSecond: clip.byteRate * 1.5, burst: 0), .stall,
      ])
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.waitLive = StreamTime(seconds: 2)
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("playing", within: 5) != nil)
      guard case .queueExhausted(_, let count) = rig.next("queueExhausted", within: 5) else {
        Issue.record("nobody noticed")
        return
      }
      #expect(count >= 1)
      guard case .buffering(_, let target) = rig.next("buffering", within: 1) else {
        Issue.record("nothing is gathered")
        return
      }
      #expect(target == 2)
      rig.run(for: 0.5)
      #expect(rig.radio.state == .buffering)
      #expect(rig.events("playing").count == 1)
      let before = rig.pcm.count
      more.open()
      guard case .playing(_, let latency, let behind) = rig.next("playing", within: 5) else {
        Issue.record("it never sounds again")
        return
      }
      #expect(latency > 1.3, "two seconds come in four thirds of one")
      #expect((behind ?? 0) > 1)
      #expect(rig.radio.state == .playing)
      #expect(
        rig.names.filter { ["queueExhausted", "playing"].contains($0) } == ["playing", "queueExhausted", "playing"])
      #expect(rig.events("underrun").count >= 1)
      #expect(rig.run(5) { rig.pcm.count > before + 176_400 })
      #expect(rig.radio.close().underruns >= 1)
    }
  }

  @Test("A short stall with a full ring is inaudible")
  func shortStall() async throws {
    try await Stage.run {
      let clip = Clip.mp3(4)
      let start = clip.prefix(2).bytes
      let station = try ScriptedStation([
        .live(), .send(start), .wait(1), .send(Array(clip.bytes.dropFirst(start.count))),
      ])
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut(within: 10))
      #expect(rig.holdsUnlessLate(rig.radio.close().underruns == 0 && difference(rig.pcm, clip.pcm()) == nil))
    }
  }
}
