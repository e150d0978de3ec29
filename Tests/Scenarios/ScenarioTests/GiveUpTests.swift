import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct GiveUpTests {
  @Test(
    "An episode that breaks or stalls plays its received part, and is not complete",
    arguments: ["closed", "silent"])
  func titledEpisode(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(30)
      // This server sends titles without a request for them.
      let mixed = Icy.interleave(clip.bytes, metaint: 4_000, titles: [(at: 0, text: "A - B")])
      let head = StationAction.head(
        "200 OK",
        ["Content-Type: audio/mpeg", "Content-Length: \(mixed.count)", "Accept-Ranges: bytes", "icy-metaint: 4000"])
      let part = StationAction.send(Array(mixed.prefix(mixed.count / 2)))
      let station = try ScriptedStation(kind == "closed" ? [head, part, .wait(1)] : [head, part, .stall])
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/episode.mp3")) {
        ($0.mode, $0.dataTimeout) = (.file, Duration(milliseconds: 2_000))
        $0.patience = Duration(milliseconds: 1_000)
      }
      #expect(rig.playOut(within: 60))
      #expect(rig.events.last?.event == .stopped(.error) && !rig.names.contains("fileComplete"), "\(rig.names)")
      #expect(rig.radio.failure?.category == .timeoutExceeded)
      #expect(station.visits.count == 1)
      #expect(station.visits.first?.header("Icy-MetaData") == nil, "titles would be counted as the file's bytes")
      _ = rig.radio.close()
      #expect(rig.holdsUnlessLate(difference(rig.pcm, beginningOf: clip.pcm()) == nil))
      #expect(rig.pcm.count > clip.prefix(14).pcm().count)
    }
  }

  @Test("A resumed file is no longer reported as reconnecting")
  func resumedFile() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(30)
      let file = FileServer(clip.bytes)
      let station = try ScriptedStation(tail: { file.actions(for: $0) }) { visit in
        file.actions(for: visit, most: visit.number == 0 ? 50_000 : .max)
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      try #require(rig.next("reconnecting") != nil)
      #expect(rig.radio.status.attempt > 0)
      #expect(rig.run(20) { rig.radio.status.attempt == 0 })
      #expect(rig.radio.state == .playing && station.visits.count == 2)
    }
  }

  @Test("A waiting packet reader wakes when a file ends without a follower")
  func callsAtEnd() async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.file(Clip.mp3(1).bytes))
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/short.mp3"))
      #expect(bench.run { bench.notices.contains { $0.notice == .complete } })
      // All bytes are received, and the next file is not known yet.
      #expect(bench.wakesReader { bench.net.follow(nil, token: 0) })
    }
  }

  @Test("A pause stops the time limit of the first connection, which restarts at the resume (R4.3)")
  func pausedSearch() async throws {
    try await Stage.run(speed: 4) {
      let station = try ScriptedStation(StationAction.response("503 Later"))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.patience = Duration(seconds: 5) }
      rig.radio.pause()
      // A second lies between two visits.
      #expect(rig.run { station.visits.count == 8 } && rig.radio.state == .paused, "\(rig.names)")
      let count = station.visits.count
      rig.radio.resume()
      #expect(rig.next("stopped") == .stopped(.error) && station.visits.count > count + 1, "\(rig.names)")
    }
  }

  @Test("An invalid address leaves nothing from the previous station")
  func badAddress() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let station = try ScriptedStation([.live(), .pace(clip.bytes, perSecond: clip.byteRate, burst: 16_000)])
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.waitForConnection())
      bench.tune("rtsp://127.0.0.1/live")
      #expect(bench.run { !bench.faults.isEmpty })
      bench.net.rest()
      bench.net.resume()
      bench.net.renew()
      bench.run(for: 5)
      #expect(station.visits.count == 1 && station.connectionCount == 0)
      #expect(bench.faults.map(\.url) == ["rtsp://127.0.0.1/live"])
    }
  }
}
