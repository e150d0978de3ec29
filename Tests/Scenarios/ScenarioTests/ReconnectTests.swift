import MediaSupport
import Network
import RadioEngine
import RadioSupport
import SeededRandom
import StationSupport
import TestSupport
import Testing
import Units

/// A station that has played is retried forever (R4.1).
@Suite struct ReconnectTests {
  /// Seconds between connections, on the server's clock.
  private static func pauses(_ station: ScriptedStation) -> [Double] {
    let times = station.visits.map(\.time)
    return zip(times.dropFirst(), times).map { $0 - $1 }
  }

  @Test("A server that closes every two seconds is retried at once, and the buffer plays on (R4.1, N4)")
  func closesEveryTwoSeconds() async throws {
    try await Stage.run {
      let broadcast = Broadcast(Clip.mp3(20), burst: 3)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit, for: 2) }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.run(15) { station.visits.count == 4 })
      for pause in Self.pauses(station) { #expect(pause >= 1 && pause < 2.8) }
      for case .reconnecting(let attempt, let delay, let reason, let held) in rig.events("reconnecting") {
        #expect((1...3).contains(attempt))
        #expect(delay < 1 && held > 0.5 && reason.contains("127.0.0.1"))
      }
      #expect(rig.events("connecting").count == 1, "only the first connection is told as such")
      #expect(rig.events("playing").count == 1, "the sound never stopped")
      let summary = rig.radio.close()
      #expect(rig.holdsUnlessLate(summary.underruns == 0))
      #expect((2...3).contains(summary.reconnects), "the fourth visit may not have brought anything yet")
    }
  }

  @Test("The summary counts replaced connections, not failed attempts")
  func countsTakeovers() async throws {
    try await Stage.run(speed: 4) {
      let broadcast = Broadcast(Clip.long(60), burst: 8)
      let station = try ScriptedStation { visit in
        switch visit.number {
        case 0: [.live()] + broadcast.actions(visit, for: 2)
        case 1, 2: StationAction.response("503 Busy")
        default: [.live()] + broadcast.actions(visit)
        }
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("stitched", within: 40) != nil)
      #expect(rig.events("reconnecting").count >= 3)
      #expect(rig.radio.close().reconnects == 1)
    }
  }

  @Test("A connection that resumes is not a reconnect, even after a second was tried")
  func countsNoSpare() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let second = Int(clip.byteRate)
      let station = try ScriptedStation { visit in
        if visit.number > 0 { return [.live(), .stall] }
        return [
          .live(), .send(Array(clip.bytes[..<(10 * second)])), .wait(4.5),
          .pace(Array(clip.bytes[(10 * second)...]), perSecond: clip.byteRate, burst: 4 * second),
        ]
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("reconnecting", within: 40) != nil)
      #expect(rig.next("stationInfo", within: 40) != nil, "it is on the air again")
      #expect(!rig.names.contains("stitched") && rig.radio.close().reconnects == 0)
    }
  }

  @Test("A server that closes at once is never tried twice within a second", arguments: ["FIN", "RST"])
  func neverTwiceWithinASecond(kind: String) async throws {
    try await Stage.run {
      let clip = Clip.mp3(1.5)
      let station = try ScriptedStation { visit in
        visit.number == 0 ? [.live(), .send(clip.bytes), .wait(0.2)] : kind == "FIN" ? [] : [.reset]
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.run(12) { station.visits.count == 5 })
      // A busy machine may accept a connection late, which shortens the next pause, but not their sum.
      let pauses = Self.pauses(station)
      #expect(pauses.reduce(0, +) >= Double(pauses.count) - 0.5)
      #expect(pauses.allSatisfy { $0 >= 0.5 && $0 < 2.5 })
      #expect(rig.radio.state != .stopped)
      rig.radio.stop()
      #expect(rig.events.last?.event == .stopped(.user))
    }
  }

  @Test(
    "A station that has played is retried, whatever the server responds later (R4.1)",
    arguments: ["404 Not Found", "403 Forbidden", "500 Sorry", "HTML", "HTML file", "random", "playlist"])
  func neverGivenUp(kind: String) async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      let station = try ScriptedStation { visit in
        if visit.number == 0 { return [.live(), .send(clip.bytes)] }
        if visit.number == 2 { return [.live(), .send(Clip.mp3(2, from: 500).bytes), .stall] }
        switch kind {
        case "HTML": return StationAction.response("200 OK", "<html><body>back soon</body></html>", type: "text/html")
        case "HTML file":
          return StationAction.response(
            "200 OK", "<html><body>back soon</body></html>", type: "text/html", headers: ["Accept-Ranges: bytes"])
        case "playlist":
          return StationAction.response(
            "200 OK", "#EXTM3U\n", type: "audio/x-mpegurl", headers: ["Accept-Ranges: bytes"])
        case "random":
          var random = SeededGenerator(3)
          return [.live(), .send(random.bytes(600_000))]
        default: return StationAction.response(kind)
        }
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.run(10) { station.visits.count == 3 })
      #expect(rig.run(5) { rig.pcm.count > clip.pcm().count * 3 / 2 })
      #expect(rig.radio.state == .playing)
    }
  }

  @Test("A station behind a playlist is found through it again, despite its failures")
  func throughThePlaylist() async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      let list = StationAction.response(
        "200 OK", "#EXTM3U\n/live\n", type: "audio/x-mpegurl", headers: ["Accept-Ranges: bytes"])
      let station = try ScriptedStation { visit in
        if visit.path == "/list.m3u" { return list }
        if visit.number == 1 { return [.live(), .send(clip.bytes)] }
        return visit.number > 6 ? [.live(), .send(Clip.mp3(2, from: 500).bytes), .stall] : []
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/list.m3u"))
      #expect(rig.run(15) { station.visits.count > 6 && station.visits.last?.path == "/live" })
      #expect(rig.radio.state != .stopped)
      #expect(station.visits.count { $0.path == "/list.m3u" } >= 2)
      #expect(rig.run(5) { rig.pcm.count > clip.pcm().count * 3 / 2 })
    }
  }

  @Test("A stall is detected in time, and the station reconnected (R2.4)")
  func dataStops() async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      let station = try ScriptedStation { _ in StationAction.onAir(clip) }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) { $0.dataTimeout = Duration(milliseconds: 1_000) }
      #expect(rig.next("playing", within: 5) != nil)
      guard case .timeoutExceeded(let url, let message) = rig.next("timeoutExceeded", within: 5) else {
        Issue.record("nobody noticed")
        return
      }
      #expect(url == station.url())
      #expect(message.contains("nothing for 1 s"))
      #expect(rig.next("reconnecting", within: 1) != nil)
      #expect(rig.run(3) { station.visits.count == 2 })
      #expect(rig.events("playing").count == 1, "what is held plays on")
      #expect(try #require(Self.pauses(station).first) >= 1)
    }
  }

  @Test(
    "A lost station is reported as connecting while its buffer plays (R1.9)",
    arguments: ["closed", "silent"])
  func connecting(kind: String) async throws {
    try await Stage.run {
      let isBack = Gate()
      let broadcast = Broadcast(Clip.mp3(60), burst: 30)
      let station = try ScriptedStation { visit in
        if visit.number > 0 { return [.gate(isBack), .live()] + broadcast.actions(visit) }
        return [.live()] + broadcast.actions(visit, for: 1) + (kind == "silent" ? [.stall] : [])
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) { $0.dataTimeout = Duration(milliseconds: 2_000) }
      try #require(rig.next("playing") != nil)
      #expect(rig.radio.state == .playing)
      #expect(rig.run { rig.radio.state == .connecting })
      #expect(rig.radio.status.state == .connecting && rig.radio.status.isAudioPlaying)
      rig.radio.pause()
      #expect(rig.radio.state == .paused && rig.radio.status.isAudioPlaying)
      rig.radio.resume()
      #expect(rig.run(5) { rig.radio.status.isAudioPlaying && rig.radio.state == .connecting })
      isBack.open()
      #expect(rig.run { rig.radio.state == .playing })
      #expect(rig.radio.status.isAudioPlaying && !rig.names.contains("queueExhausted"))
    }
  }

  @Test("A station that never sends a byte is tried for half a minute")
  func dataNeverComes() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in [.stall] }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.dataTimeout = Duration(milliseconds: 1_000) }
      #expect(rig.next("timeoutExceeded", within: 5) != nil)
      #expect(rig.next("reconnecting", within: 1) != nil)
      #expect(rig.radio.state == .connecting)
      rig.radio.stop()
    }
  }

  @Test("The number of retries can be set", arguments: [0, 2])
  func countedTries(most: Int) async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      let station = try ScriptedStation { visit in visit.number == 0 ? [.live(), .send(clip.bytes)] : [] }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(most) }
      #expect(rig.playOut(within: 10))
      #expect(rig.events.last?.event == .stopped(.error))
      #expect(station.visits.count == 1 + most)
      #expect(rig.events("reconnecting").count == most)
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A connection with one second of audio does not reset the attempts")
  func littleAudio() async throws {
    try await Stage.run {
      let clip = Clip.mp3(1)
      let station = try ScriptedStation { _ in [.live(), .send(clip.bytes)] }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(2) }
      #expect(rig.playOut(within: 10))
      #expect(station.visits.count == 3)
      #expect(rig.events.last?.event == .stopped(.error))
    }
  }

  @Test("Reported titles are not repeated after a reconnect")
  func titlesOnce() async throws {
    try await Stage.run {
      let clip = Clip.mp3(3)
      let station = try ScriptedStation { visit in
        let part = visit.number == 0 ? clip : Clip.mp3(6, from: 500)
        let mixed = Icy.interleave(part.bytes, metaint: 4_000, titles: [(at: 0, text: "A - B")])
        return [
          .live("icy-metaint: 4000"),
          visit.number == 0 ? .send(mixed) : .pace(mixed, perSecond: 2 * clip.byteRate, burst: 16_000),
        ]
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.run(5) { station.visits.count == 2 })
      #expect(rig.run(5) { rig.pcm.count > clip.pcm().count * 3 / 2 })
      #expect((rig.events("metadataReceived").count, rig.events("metadataChanged").count) == (1, 1))
    }
  }

  @Test("Titles in an overlap are not repeated either")
  func overlappingTitles() async throws {
    try await Stage.run {
      let second = Int(Clip.mp3(10).byteRate)
      let cues = [(0, "A - One"), (2 * second, "B - Two"), (5 * second, "C - Three")]
      let station = try ScriptedStation { visit in
        let part = visit.number == 0 ? Clip.mp3(4) : Clip.mp3(8, from: 40)
        let skipped = visit.number == 0 ? 0 : Clip.mp3(10).prefix(packets: 40).bytes.count
        let titles = cues.map { (at: max(0, $0.0 - skipped), text: $0.1) }
        let mixed = Icy.interleave(part.bytes, metaint: 2_000, titles: titles)
        return [.live("icy-metaint: 2000"), .send(mixed)] + (visit.number == 0 ? [] : [.stall])
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("stitched", within: 5) != nil)
      #expect(rig.run(5) { rig.events("metadataReceived").count == 3 })
      let told = rig.events("metadataReceived").compactMap { event in
        if case .metadataReceived(let title) = event { title.text } else { nil }
      }
      #expect(told == cues.map(\.1))
    }
  }

  @Test("A radio silent between two connections plays with one second buffered, not seven")
  func refillsFaster() async throws {
    try await Stage.run {
      let clip = Clip.mp3(6)
      let start = clip.prefix(1.5).bytes
      let station = try ScriptedStation { visit in
        switch visit.number {
        case 0: [.live(), .send(start), .wait(0.7)]
        case 1...2: []
        default: [.live(), .pace(clip.bytes, perSecond: 2 * clip.byteRate, burst: 0), .stall]
        }
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("queueExhausted", within: 5) != nil)
      guard case .buffering(_, let target) = rig.next("buffering", within: 1) else {
        Issue.record("nothing is gathered")
        return
      }
      #expect(target == 1)
      #expect(rig.next("playing", within: 5) != nil)
    }
  }

  @Test("The last packet of a stalled connection does not click")
  func noClick() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.mp3(3)
      let station = try ScriptedStation { visit in visit.number == 0 ? StationAction.onAir(clip) : [.stall] }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      try #require(rig.next("queueExhausted") != nil)
      rig.run(for: 1)
      let silence = rig.pcmCount
      rig.run(for: 13)
      #expect(rig.events("timeoutExceeded").count == 1)
      #expect(rig.radio.status.underruns == 1 && rig.pcm.dropFirst(silence).allSatisfy { $0 == 0 })
    }
  }
}
