import Framing
import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct LiveTests {
  @Test("A title is emitted on arrival, and again when audible (R6.1)")
  func titles() async throws {
    try await Stage.run {
      let clip = Clip.mp3(5)
      let bytes = clip.bytes
      let second = Int(clip.byteRate)
      let cues = [(0, "One - First"), (second * 2, "Two - Second"), (second * 4, "It's three")]
      let mixed = Icy.interleave(bytes, metaint: 2_000, titles: cues.map { (at: $0.0, text: $0.1) })
      let station = try ScriptedStation([.live("icy-metaint: 2000", "icy-br: 128"), .send(mixed), .stall])
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("playing", within: 5) != nil)
      #expect(rig.run(1) { rig.events("metadataReceived").count == 3 }, "the burst brings all titles at once")
      #expect(rig.events("metadataChanged").count <= 1)
      #expect(rig.run(10) { rig.events("metadataChanged").count == 3 })
      let heard = rig.events("metadataChanged").compactMap { event -> (Title, Double)? in
        if case .metadataChanged(let title, let at) = event { (title, at) } else { nil }
      }
      #expect(heard.map(\.0.text) == cues.map(\.1))
      #expect(heard.map(\.0.artist) == ["One", "Two", nil])
      #expect(heard.map(\.0.track) == ["First", "Second", "It's three"])
      for (moment, cue) in zip(heard, cues) {
        #expect(moment.1 > Double(cue.0) / clip.byteRate - 0.1 && moment.1 < Double(cue.0 + 2_000) / clip.byteRate)
      }
      let start = try #require(rig.time(of: "playing"))
      for (index, event) in rig.events.filter({ $0.event.name == "metadataChanged" }).enumerated() where index > 0 {
        // The card's buffer adds 200 ms.
        #expect(abs(event.time - start - heard[index].1) < 0.5)
      }
      #expect(rig.radio.close().titles == 3)
    }
  }

  @Test("The station's headers are reported without terminal sequences (R1.10, R6.2)")
  func stationHeaders() async throws {
    try await Stage.run {
      let head = """
        ICY 200 OK\r\nicy-name: Caf\u{E9}\u{202E}FM \u{1B}[31mred\r\nicy-genre: Jazz\u{200B}\r\n\
        icy-br: 96\r\nicy-url: http://example.org/\r\nContent-Type: audio/mpeg\r\n\r\n
        """
      let station = try ScriptedStation([.text(head), .send(Clip.mp3(3).bytes), .stall])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      guard case .stationInfo(let info) = rig.next("stationInfo") else {
        Issue.record("nothing is told about the station")
        return
      }
      #expect(info.facts.name == "Caf\u{E9}FM [31mred")
      #expect(info.facts.genre == "Jazz")
      #expect((info.facts.homePage, info.bitRate, info.facts.isLive) == ("http://example.org/", 96, true))
    }
  }

  @Test(
    "One second starts playback, and the fixed policy waits for the full time (R2.2, A5)", arguments: [false, true])
  func startPolicy(isFixed: Bool) async throws {
    try await Stage.run {
      let clip = Clip.mp3(6)
      let (first, second) = (Gate(), Gate())
      let half = clip.prefix(0.7).bytes
      let most = clip.prefix(2.6).bytes
      let station = try ScriptedStation([
        .live(), .send(half), .gate(first), .send(Array(most.dropFirst(half.count))), .gate(second),
        .send(Array(clip.bytes.dropFirst(most.count))), .stall,
      ])
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.waitLive = StreamTime(seconds: 3)
      settings.startPolicy = isFixed ? .fixed : .adaptive
      let rig = try RadioRig(settings)
      rig.tune(station.url())
      guard case .buffering(_, let target) = rig.next("buffering") else {
        Issue.record("no word of buffering")
        return
      }
      #expect(target == (isFixed ? 3 : 1))
      rig.run(for: 0.5)
      #expect(!rig.names.contains("playing") && rig.pcm.isEmpty)
      first.open()
      if isFixed {
        rig.run(for: 0.8)
        #expect(!rig.names.contains("playing") && rig.pcm.isEmpty)
        second.open()
      }
      #expect(rig.next("playing", within: 5) != nil)
      second.open()
      #expect(rig.run { rig.pcm.count >= clip.prefix(5.8).pcm().count })
      _ = rig.radio.close()
      #expect(difference(Array(rig.pcm.dropLast(1_000)), beginningOf: clip.pcm()) == nil)
    }
  }

  @Test("A burst larger than the smallest ring is slowed down, not lost (R2.1)")
  func burstBeyondTheRing() async throws {
    try await Stage.run {
      let clip = Clip.mp3(20)
      var settings = RadioSettings.bench
      settings.blockCount = 16
      let station = try ScriptedStation([.live(), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig(settings)
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut())
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A burst larger than the smallest ring survives real time too")
  func burstBeyondTheRingInRealTime() async throws {
    try await Stage.run {
      let clip = Clip(ToneMp3.frames(230, kilobits: 320))
      var settings = RadioSettings.bench
      settings.blockCount = 16
      let station = try ScriptedStation([.live(), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut())
      let summary = rig.radio.close()
      #expect(rig.holdsUnlessLate(summary.underruns == 0 && difference(rig.pcm, clip.pcm()) == nil))
    }
  }

  @Test("A live stream shorter than the wait still plays (R2.2)", arguments: [0.3, 0.9])
  func shorterThanTheWait(seconds: Double) async throws {
    try await Stage.run {
      let clip = Clip.mp3(seconds)
      let station = try ScriptedStation([.live(), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut(within: 6))
      #expect(rig.names.contains("playing"))
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A response without headers, or with only line feeds, plays (R1.11)", arguments: [true, false])
  func oldServers(isBare: Bool) async throws {
    try await Stage.run {
      let clip = Clip.mp3(3)
      let head = isBare ? "" : "HTTP/1.0 200 OK\ncontent-TYPE:audio/mpeg\n\n"
      let station = try ScriptedStation([.text(head), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut())
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }
}
