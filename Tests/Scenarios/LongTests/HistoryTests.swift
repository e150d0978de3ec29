import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import SeededRandom
import StationSupport
import TestSupport
import Testing
import Units

/// Regressions in live radio (R12), numbered as in the history of the manual's SDK.
@Suite struct HistoryTests {
  // MARK: Pauses

  @Test("1.8: A connection lost and restored during a pause is reported as paused, not playing (R12)")
  func regainedWhilePaused() async throws {
    try await Stage.run(speed: 4) {
      let broadcast = Broadcast(.long(60), burst: 6)
      let station = try ScriptedStation { visit in
        [.live()] + broadcast.actions(visit, for: visit.number == 0 ? 4 : 60)
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      try #require(rig.next("playing") != nil)
      rig.radio.pause()
      let before = rig.events.count
      #expect(rig.next("stitched") != nil)
      rig.run(for: 2)
      let told = rig.events[before...].map(\.event).filter { $0.name != "stationInfo" }
      #expect(told.map(\.name) == ["reconnecting", "stitched", "paused"])
      #expect(told.last == .paused(.user))
      #expect(rig.radio.state == .paused && station.visits.count == 2)
      rig.radio.resume()
      #expect(rig.next("playing") != nil)
    }
  }

  @Test("1.9: playing is emitted after the pause, when audio plays again (R12)")
  func playingAfterThePause() async throws {
    try await Stage.run(speed: 4) {
      let broadcast = Broadcast(.long(60), burst: 6)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      let keep = rig.radio.onEvent
      var seen: [(state: RadioState, heard: Double)] = []
      rig.radio.onEvent = { [unowned rig] event, time in
        keep(event, time)
        if event.name == "playing" { seen.append((rig.radio.state, rig.radio.status.heard)) }
      }
      rig.tune(station.url())
      try #require(rig.next("playing") != nil)
      for count in 1...3 {
        rig.run(for: 1)
        rig.radio.pause()
        rig.run(for: 1)
        let heard = rig.radio.status.heard
        rig.radio.resume()
        #expect(rig.radio.state == .buffering && seen.count == count, "not within the order")
        #expect(rig.next("playing") != nil)
        #expect(seen.last?.state == .playing)
        #expect(try #require(seen.last).heard >= heard)
        #expect(rig.run(5) { rig.radio.status.heard > heard })
      }
    }
  }

  // MARK: Formats

  @Test("1.15: Parametric stereo that disappears continues, also on a mono sink (R12)")
  func withoutParametricStereo() async throws {
    try await Stage.run {
      let stereo = Repository.bytes("Tests/Support/Fixtures/he2-44100.aac")
      let mono = Repository.bytes("Tests/Support/Fixtures/he-mono-44100.aac")
      // A decoder retains the channel count that its previous stream set.
      for (bytes, channels, sink) in [(mono, 1, 2), (stereo + mono + stereo, 2, 2), (stereo, 2, 1)] {
        let clip = Clip(bytes)
        let station = try ScriptedStation([.live(type: "audio/aacp"), .send(bytes)])
        defer { station.close() }
        let rig = try RadioRig(format: "s16le/44100/\(sink)")
        rig.tune(station.url()) { $0.retry = .times(0) }
        #expect(rig.playOut())
        let told = rig.events("stationInfo").compactMap { event in
          if case .stationInfo(let info) = event { [info.sampleRate, info.channels] } else { nil }
        }
        #expect(told == [[44_100, channels]])
        #expect(abs(rig.radio.close().heard - clip.duration) < 0.1)
        #expect(difference(rig.pcm, clip.pcm(channels: sink)) == nil)
      }
    }
  }

  @Test(
    "1.18: Half an hour of 32 kbit/s wraps around the ring to its end (R12)",
    arguments: [("file", 100), ("live", 30)])
  func longAndThin(kind: String, lapCount: Int) async throws {
    try await Stage.run {
      let lap = Clip(ToneMp3.frames(500, rate: 16_000, channels: 1, kilobits: 32))
      let bytes = (0..<lapCount).flatMap { _ in lap.bytes }
      let station = try ScriptedStation([kind == "file" ? .file(bytes.count) : .live(), .send(bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.run(120) { rig.radio.status.blocks.oldest > .zero })
      let full = rig.radio.status
      let held = (full.blocks.written - full.blocks.oldest).seconds
      #expect(abs((full.capacity ?? 0) - held) < 0.03 * held, "\(full.capacity ?? 0) s are told, \(held) s held")
      #expect(rig.playOut(within: 120))
      #expect(rig.names.contains("fileComplete") == (kind == "file"))
      #expect(rig.events("playing").count == 1 && rig.radio.status.blocks.oldest > .zero)
      #expect(abs(rig.radio.close().heard - Double(18 * lapCount)) < 0.1)
      let (pcm, laps) = (rig.pcm, Clip(lap.bytes + lap.bytes).pcm(channels: 1))
      #expect(pcm.count == laps.count / 2 * lapCount)
      #expect(difference(Array(pcm.prefix(laps.count)), laps) == nil)
      let length = laps.count / 2
      let isPeriodic = pcm.withUnsafeBytes { pcm in
        guard let base = pcm.baseAddress, pcm.count > 2 * length else { return false }
        return memcmp(base + length, base + 2 * length, pcm.count - 2 * length) == 0
      }
      #expect(isPeriodic)
    }
  }

  @Test("2.1: The bit rate of MPEG-2.5 is right (R12)")
  func lowestRates() async throws {
    try await Stage.run(speed: 3) {
      let lap = Repository.bytes("Tests/Support/Fixtures/cbr-8000.mp3")
      let clip = Clip((0..<6).flatMap { _ in lap })
      let station = try ScriptedStation(StationAction.onAir(clip))
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      guard case .stationInfo(let info) = rig.next("stationInfo") else {
        Issue.record("nothing is told about the station")
        return
      }
      #expect((info.bitRate, info.sampleRate, info.channels) == (16, 8_000, 1))
      #expect(info.facts.toldBitRate == nil)
      #expect(rig.run(5) { rig.radio.status.blocks.written.seconds > clip.duration - 0.2 })
      let status = rig.radio.status
      #expect(abs((status.measuredBitRate?.bitsPerSecond ?? 0) - 16_000) < 200)
      // Of 300 blocks 288 are used when the ring wraps: 30 packets of 72 ms each.
      #expect(abs((status.capacity ?? 0) - 622) < 18)
      let before = status.position
      rig.run(for: 2)
      #expect(abs(rig.radio.status.position - before - 2) < 0.6, "a second lasts a second")
    }
  }
}

@Suite struct AddressHistoryTests {
  @Test(
    "2.3.2: A switch is immediate, whatever the old station does (R12, N4)", arguments: ["plays", "stalls", "is deaf"])
  func switchesAtOnce(kind: String) async throws {
    try await Stage.run {
      let (old, new) = (Clip.mp3(10), Clip.aac(4))
      let first = try ScriptedStation(
        kind == "is deaf" ? [.stall] : [.live(), .send(kind == "plays" ? old.bytes : old.prefix(2).bytes), .stall])
      let second = try ScriptedStation([.live(type: "audio/aac"), .send(new.bytes), .stall])
      defer {
        first.close()
        second.close()
      }
      let rig = try RadioRig(isPaced: true)
      rig.tune(first.url())
      if kind != "is deaf" { #expect(rig.next("playing", within: 5) != nil) }
      // Before the stalled station connects again, after 3 s.
      rig.run(for: kind == "stalls" ? 2.5 : 0.5)
      let (began, switched) = (rig.time(of: "playing") ?? 0, rig.radio.time)
      rig.tune(second.url())
      guard case .playing(_, let latency, _) = rig.next("playing", within: 5) else {
        Issue.record("the other station never plays: \(rig.events)")
        return
      }
      #expect(latency < 1)
      guard kind == "plays" else { return }
      rig.run(for: 0.4)
      let pcm = rig.pcm
      let same = zip(pcm, old.pcm()).prefix { $0 == $1 }.count / 4 * 4
      // The buffer of 200 ms, one period and a ramp of 5 ms may still play.
      #expect(Double(same) / 176_400 < switched - began + 0.6)
      // After the ramp and silence, the other station plays from its first sample, and fades in within 5 ms.
      let (rest, sound) = (Array(pcm.dropFirst(same)), new.pcm())
      let (mark, ramp) = (17_640, 221 * 4)
      let place = rest.firstRange(of: sound[mark..<2 * mark])?.lowerBound ?? 0
      #expect(rig.holdsUnlessLate(place >= mark))
      guard place >= mark else { return }
      let heard = Array(rest[(place - mark + ramp)...])
      #expect(rig.holdsUnlessLate(difference(heard, beginningOf: Array(sound[ramp...])) == nil))
    }
  }

  @Test(
    "2.3.7: A playlist that leads nowhere is reported as a wrong address (R12)",
    arguments: ["m3u", "pls"],
    ["", "nothing here", "http://", "http://[::1/", "rtsp://127.0.0.1/live", "file:///etc/passwd"])
  func playlistToNowhere(kind: String, entry: String) async throws {
    try await Stage.run {
      let text = kind == "m3u" ? "#EXTM3U\n\(entry)\n" : "[playlist]\nNumberOfEntries=1\nFile1=\(entry)\n"
      let type = kind == "m3u" ? "audio/x-mpegurl" : "audio/x-scpls"
      let station = try ScriptedStation { visit in
        visit.number == 0 ? StationAction.response("200 OK", text, type: type) : StationAction.response("404 Not Found")
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/list.\(kind)"))
      #expect(rig.playOut(within: 5))
      // Words resolve to a relative address, which does not exist.
      let reason = entry == "nothing here" ? ["httpError", "missingContent"] : ["urlNotFound"]
      #expect(rig.names.filter { $0 != "connecting" } == reason + ["stopped"])
      #expect(rig.events.last?.event == .stopped(.error))
    }
  }

  @Test(
    "2.8: Each fault of a playlist's address is reported (R12)", arguments: ["m3u", "pls"],
    [("missing", "missingContent"), ("forbidden", "httpError"), ("page", "badContent"), ("nobody", "urlNotFound")])
  func playlistAddressIsWrong(kind: String, fault: (name: String, event: String)) async throws {
    try await Stage.run(speed: 10) {
      let answer: [StationAction] =
        switch fault.name {
        case "missing": StationAction.response("404 Not Found", "<html></html>", type: "text/html")
        case "forbidden": StationAction.response("403 Forbidden", "<html></html>", type: "text/html")
        default: StationAction.response("200 OK", "<html><body>Welcome</body></html>", type: "text/html")
        }
      let station = try ScriptedStation(answer)
      defer { station.close() }
      if fault.name == "nobody" { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/radio.\(kind)")) { $0.patience = Duration(milliseconds: 3_000) }
      #expect(rig.playOut(within: 60))
      #expect(rig.names.contains(fault.event))
      #expect(rig.events.last?.event == .stopped(.error))
      #expect(rig.radio.failure?.sentence.isEmpty == false)
    }
  }

  @Test(
    "2.7: Titles use the configured encoding (R12)",
    arguments: [
      ("KOI8-R", [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4], "Привет"),
      ("WINDOWS-1251", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"),
      ("SHIFT_JIS", [0x89, 0xB9, 0x8A, 0x79], "音楽"), (nil, [0xC3, 0xA9, 0x74, 0xC3, 0xA9], "été"),
      (nil, [0xE9, 0x74, 0xE9], "été"), ("no-such-encoding", [0xE9, 0x74, 0xE9], "été"),
    ] as [(String?, [UInt8], String)])
  func encodings(encoding: String?, bytes: [UInt8], text: String) async throws {
    try await Stage.run {
      let audio = Clip.mp3(4).bytes
      let title = Array("StreamTitle='".utf8) + bytes + Array("';".utf8)
      let units = (title.count + 15) / 16
      let block = [UInt8(units)] + title + [UInt8](repeating: 0, count: units * 16 - title.count)
      let station = try ScriptedStation([
        .live("icy-metaint: 24000"), .send(Array(audio[..<24_000]) + block + Array(audio[24_000..<48_000])), .stall,
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.metadataEncoding = encoding }
      guard case .metadataReceived(let received) = rig.next("metadataReceived", within: 5) else {
        Issue.record("no title came")
        return
      }
      #expect(received.text == text)
      guard case .metadataChanged(let heard, _) = rig.next("metadataChanged", within: 5) else {
        Issue.record("no title was heard")
        return
      }
      #expect(heard.text == text)
    }
  }

  @Test(
    "2.8.1: Bytes without valid headers fill nothing beyond the bounds (R12)",
    arguments: ["longest frames", "headers alone", "a title without end", "a head without end", "no head"])
  func noHeaders(kind: String) async throws {
    try await Stage.run {
      // ADTS: 8,191 bytes, too long for a block. MPEG: Layer III at 320 kbit/s and 32 kHz.
      let (adts, mpeg): ([UInt8], [UInt8]) = ([0xFF, 0xF1, 0x50, 0x83, 0xFF, 0xFF, 0xFC], [0xFF, 0xFB, 0xE8, 0x00])
      let zeros = [UInt8](repeating: 0, count: 8_184)
      let noise = SeededGenerator(5).noise(1 << 20)
      let acts: [StationAction] =
        switch kind {
        case "longest frames":
          [.live(type: "audio/aac"), .send((0..<200).flatMap { _ in adts + zeros }), .stall]
        case "headers alone": [.live(), .send((0..<300_000).flatMap { _ in mpeg }), .stall]
        case "a title without end":
          [.live("icy-metaint: 1"), .send((0..<200_000).flatMap { _ in [0x55, 0xFF] as [UInt8] }), .stall]
        case "a head without end":
          [.text("HTTP/1.1 200 OK\r\n"), .send((0..<200_000).flatMap { _ in Array("X-A: b\r\n".utf8) }), .stall]
        default: [.send(noise), .stall]
        }
      let good = try ScriptedStation([.live(), .send(Clip.mp3(3).bytes), .stall])
      let station = try ScriptedStation(acts)
      defer {
        station.close()
        good.close()
      }
      let rig = try RadioRig()
      rig.tune(station.url()) {
        $0.patience = Duration(milliseconds: 1_000)
        $0.dataTimeout = Duration(milliseconds: 2_000)
      }
      _ = rig.run(4) { rig.radio.state == .stopped }
      #expect(!rig.names.contains("playing") && !rig.pcm.contains { $0 != 0 && $0 != 0xFF })
      #expect(rig.radio.status.blocks.usedCount <= rig.radio.status.blocks.blockCount)
      rig.tune(good.url())
      #expect(rig.next("playing", within: 5) != nil)
    }
  }
}

extension SeededGenerator {
  fileprivate func noise(_ count: Int) -> [UInt8] {
    var copy = self
    return copy.bytes(count)
  }
}
