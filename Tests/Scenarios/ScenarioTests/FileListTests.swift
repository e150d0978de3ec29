import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Sequences of files: lists, and the next file (R11.3, E1).
@Suite struct FileListTests {
  private static let clips = [Clip.mp3(3), Clip(ToneMp3.frames(200, seed: 31)), Clip.aac(4)]
  private static let titles = ["One", "Two", "Three"]

  private static let m3u =
    "#EXTM3U\n" + titles.enumerated().map { "#EXTINF:9,\($1)\n\($0 + 1).mp3\n" }.joined()

  private static func shelf(without missing: Set<Int> = [], list: String = m3u) throws -> ScriptedStation {
    try ScriptedStation { visit in
      if visit.path == "/list.m3u" { return StationAction.response("200 OK", list, type: "audio/x-mpegurl") }
      let number = Int(visit.path.dropFirst().prefix(1)) ?? 0
      if missing.contains(number) { return StationAction.response("404 Not Found") }
      return FileServer(clips[number - 1].bytes).actions(for: visit)
    }
  }

  private static func startedItems(_ rig: RadioRig) -> [String] {
    rig.events("itemBegan").map {
      if case .itemBegan(let index, let count, let title, _) = $0 { "\(index)/\(count) \(title ?? "")" } else { "" }
    }
  }

  @Test("The files of a list play without missing or extra samples (R11.3)")
  func wholeList() async throws {
    try await Stage.run {
      let station = try Self.shelf()
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/list.m3u"))
      #expect(rig.playOut())
      #expect(Self.startedItems(rig) == ["1/3 One", "2/3 Two", "3/3 Three"])
      let lengths = rig.events("fileComplete").compactMap {
        if case .fileComplete(let heard) = $0 { heard } else { nil }
      }
      #expect(zip(lengths, Self.clips).allSatisfy { abs($0 - $1.duration) < 0.03 } && lengths.count == 3)
      let titles = rig.events("metadataChanged").compactMap {
        if case .metadataChanged(let title, let at) = $0, abs(at) < 0.001 { title.text } else { nil }
      }
      #expect(titles == Self.titles)
      #expect(station.visits.map(\.path) == ["/list.m3u", "/1.mp3", "/2.mp3", "/3.mp3"])
      #expect(rig.names.last == "stopped" && rig.events("buffering").count == 1, "nothing stopped in between")
      _ = rig.radio.close()
      #expect(difference(rig.pcm, Self.clips.flatMap { $0.pcm() }) == nil)
    }
  }

  @Test("A seek back keeps the list item if the next file is already buffered")
  func seekBeforeNext() async throws {
    try await Stage.run(speed: 4) {
      let station = try ScriptedStation { visit in
        visit.path == "/list.m3u"
          ? StationAction.response("200 OK", Self.m3u, type: "audio/x-mpegurl")
          : FileServer(Clip.long(60).bytes).actions(for: visit)
      }
      defer { station.close() }
      let rig = try RadioRig.seeking(in: station.url("/list.m3u"), rate: 44_100)
      rig.radio.seek(to: 50)
      let isNextThere = rig.run {
        rig.events("metadataReceived").contains {
          if case .metadataReceived(let title) = $0 { title.text == "Two" } else { false }
        }
      }
      #expect(isNextThere && rig.radio.item == 0)
      rig.radio.seek(to: 20)
      #expect(rig.run { (20..<30).contains(rig.radio.status.position) && rig.radio.state == .playing }, "\(rig.names)")
      #expect(rig.radio.item == 0 && rig.events("itemBegan").count == 1)
    }
  }

  @Test("A list with a start position is not reported as a file without ranges")
  func startInList() async throws {
    try await Stage.run {
      let station = try Self.shelf()
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/list.m3u")) { $0.start = StreamTime(seconds: 1) }
      #expect(rig.playOut() && rig.names.contains("fileComplete"), "\(rig.names)")
      #expect(rig.events("readThrough").isEmpty)
    }
  }

  @Test("LAME's padding at both ends of each file is inaudible")
  func gapless() async throws {
    try await Stage.run {
      let files = (0..<3).map { number -> [UInt8] in
        let sound = ToneMp3.frames(120, seed: UInt64(number) + 41)
        return ToneMp3.infoPacket(120, byteCount: sound.count, delay: 576, padding: 1_105) + sound
      }
      let station = try ScriptedStation { visit in
        visit.path == "/"
          ? StationAction.response("200 OK", "/0\n/1\n/2\n", type: "audio/x-mpegurl")
          : FileServer(files[Int(visit.path.dropFirst()) ?? 0]).actions(for: visit)
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/"))
      #expect(rig.playOut())
      _ = rig.radio.close()
      let frames = 120 * 1_152 - 576 - 1_105
      let whole = (0..<3).flatMap { number -> ArraySlice<UInt8> in
        Clip(ToneMp3.frames(120, seed: UInt64(number) + 41)).pcm()[(1_105 * 4)..<((1_105 + frames) * 4)]
      }
      #expect(difference(rig.pcm, whole) == nil)
      #expect(abs(rig.radio.summary.heard - 3 * Double(frames) / 44_100) < 1e-6)
    }
  }

  @Test("A missing file is skipped", arguments: [1, 2, 3])
  func passesOver(missing: Int) async throws {
    try await Stage.run {
      let station = try Self.shelf(without: [missing])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/list.m3u"))
      #expect(rig.playOut())
      let rest = [1, 2, 3].filter { $0 != missing }
      #expect(Self.startedItems(rig) == rest.map { "\($0)/3 \(Self.titles[$0 - 1])" })
      _ = rig.radio.close()
      #expect(difference(rig.pcm, rest.flatMap { Self.clips[$0 - 1].pcm() }) == nil)
    }
  }

  @Test("A list with hundreds of missing files plays the first existing one")
  func manyMissing() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      try Data(Self.clips[0].bytes).write(to: URL(fileURLWithPath: folder.path + "/there.mp3"))
      let names = (1...400).map { "missing-\($0).mp3" } + ["there.mp3"]
      try Data(names.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: folder.path + "/list.m3u"))
      let rig = try RadioRig()
      rig.tune("file://" + folder.path + "/list.m3u")
      #expect(rig.playOut())
      #expect(rig.names.contains("fileComplete"))
    }
  }

  @Test("2.3.6: A file in a list is seekable like any file, buffered or not (R12)")
  func seeksWithinItem() async throws {
    try await Stage.run {
      let long = Clip(ToneMp3.frames(4_000, seed: 51))
      let station = try ScriptedStation { visit in
        switch visit.path {
        case "/": StationAction.response("200 OK", "/1\n/long\n/1\n", type: "audio/x-mpegurl")
        case "/long": FileServer(long.bytes).actions(for: visit)
        default: FileServer(Self.clips[0].bytes).actions(for: visit)
        }
      }
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.throttleBypass = StreamTime(seconds: 6)
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url("/"))
      #expect(rig.run(15) { rig.radio.item == 1 && rig.radio.status.position > 1 })
      #expect(abs((rig.radio.duration ?? 0) - long.duration) < 0.1)
      rig.radio.rewind(by: 100)
      guard case .seekDone(let back, _) = rig.next("seekDone") else { return }
      #expect(back == 0 && station.visits.count == 3, "the file's own beginning, which is held")
      rig.radio.seek(to: 80)
      guard case .seekDone(let far, _) = rig.next("seekDone") else { return }
      #expect(abs(far - 80) < 0.03 && station.visits.map(\.path) == ["/", "/1", "/long", "/long"])
      #expect(rig.run(5) { rig.radio.status.position > 80.5 } && rig.radio.item == 1)
      #expect(
        Self.startedItems(rig).count == 2 && rig.events("metadataReceived").isEmpty, "no item begins anew by a seek")
      rig.radio.seek(to: long.duration - 1)
      #expect(rig.run(10) { rig.radio.item == 2 && rig.radio.status.position > 0.5 })
      #expect(Self.startedItems(rig).last == "3/3 " && rig.radio.status.position < 3)
      rig.radio.rewind(by: 60)
      #expect(rig.run(5) { rig.radio.status.position < 0.5 } && rig.radio.item == 2)
      #expect(rig.radio.playItem(0))
      #expect(rig.run(5) { rig.radio.item == 0 && rig.radio.status.position > 0.2 })
    }
  }

  @Test("The following file plays without a gap; other content does not follow", arguments: ["file", "live", "404"])
  func follower(kind: String) async throws {
    try await Stage.run {
      let next = Clip(ToneMp3.frames(100, seed: 61))
      let station = try ScriptedStation { visit in
        switch (visit.path, kind) {
        case ("/first", _): FileServer(Self.clips[0].bytes).actions(for: visit)
        case (_, "file"): FileServer(next.bytes).actions(for: visit)
        case (_, "live"): StationAction.onAir(next)
        default: StationAction.response("404 Not Found")
        }
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/first"))
      rig.radio.follower = StationRequest(url: station.url("/next"))
      #expect(rig.playOut())
      #expect(rig.names.contains("followed") == (kind == "file"))
      #expect(rig.events("fileComplete").count == (kind == "file" ? 2 : 1) && rig.names.last == "stopped")
      _ = rig.radio.close()
      #expect(difference(rig.pcm, Self.clips[0].pcm() + (kind == "file" ? next.pcm() : [])) == nil)
    }
  }

  @Test(
    "A one-packet file labelled as a web page plays to its end, alone and in a list",
    arguments: [false, true])
  func shortest(follows: Bool) async throws {
    try await Stage.run {
      let short = Clip(ToneMp3.frames(1, seed: 62)).bytes
      let head = ["Content-Type: text/html", "Accept-Ranges: bytes", "Content-Length: \(short.count)"]
      let station = try ScriptedStation { visit in
        if visit.path == "/first" { return FileServer(Self.clips[0].bytes).actions(for: visit) }
        return [.head("200 OK", head), .send(short)]
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url(follows ? "/first" : "/one.mp3"))
      if follows { rig.radio.follower = StationRequest(url: station.url("/one.mp3")) }
      #expect(rig.playOut())
      #expect(rig.names.contains("followed") == follows && rig.events("fileComplete").count == (follows ? 2 : 1))
      #expect(rig.names.last == "stopped")
    }
  }

  @Test("A seek without a follower stays in the current file, however far the other was")
  func seeksBehindFollower() async throws {
    try await Stage.run {
      let next = Clip(ToneMp3.frames(2_000, seed: 66))
      let gate = Gate()
      defer { gate.open() }
      let station = try ScriptedStation { visit in
        switch visit.number {
        case 0: FileServer(Self.clips[0].bytes).actions(for: visit)
        case 1: FileServer(next.bytes).actions(for: visit)
        default: [.gate(gate)]
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/first"))
      #expect(bench.run { bench.notices.contains { $0.notice == .complete } })
      var request = StationRequest(url: station.url("/next"))
      request.start = StreamTime(seconds: 20)
      bench.net.follow(request, token: 1)
      // The next file's head is parsed and its range requested.
      #expect(bench.run { station.visits.count == 3 })
      // The client waiting for packets is called: no more packets will arrive.
      #expect(bench.wakesReader { bench.net.follow(nil, token: 2) })
      request = StationRequest(url: station.url("/first"))
      request.start = StreamTime(seconds: 0.5)
      bench.net.seek(request, number: 0, epoch: 2)
      #expect(bench.run { station.visits.count == 4 })
      #expect(station.visits.map(\.path) == ["/first", "/next", "/next", "/first"])
    }
  }

  @Test("The fault of a completed file is withdrawn when the next one follows")
  func withdrawsTrouble() async throws {
    try await Stage.run {
      let (first, next) = (Clip(ToneMp3.frames(150, seed: 63)), Clip(ToneMp3.frames(400, seed: 64)))
      let tagged = FileServer(first.bytes + FileSoundTests.ape(100_000))
      let station = try ScriptedStation(tail: { tagged.actions(for: $0) }) { visit in
        if visit.path == "/next" { return FileServer(next.bytes).actions(for: visit) }
        return tagged.actions(for: visit, most: visit.number == 0 ? first.bytes.count + 50_000 : .max)
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/first"))
      rig.radio.follower = StationRequest(url: station.url("/next"))
      #expect(rig.next("reconnecting") != nil && rig.radio.fault != nil)
      #expect(rig.next("followed") != nil)
      #expect(rig.radio.fault == nil && rig.radio.state == .playing && rig.radio.status.attempt == 0)
    }
  }

  @Test("Another follower replaces the first, even if that is on its way")
  func changesFollower() async throws {
    try await Stage.run {
      let next = Clip(ToneMp3.frames(100, seed: 71))
      let gate = Gate()
      let station = try ScriptedStation { visit in
        switch visit.path {
        case "/first": FileServer(Self.clips[0].bytes).actions(for: visit)
        case "/wrong": [.gate(gate)] + FileServer(Self.clips[1].bytes).actions(for: visit)
        default: FileServer(next.bytes).actions(for: visit)
        }
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/first"))
      rig.radio.follower = StationRequest(url: station.url("/wrong"))
      #expect(rig.run(10) { station.visits.count == 2 })
      rig.radio.follower = StationRequest(url: station.url("/right"))
      #expect(rig.run(10) { station.visits.count == 3 })
      gate.open()
      #expect(rig.playOut())
      _ = rig.radio.close()
      #expect(rig.holdsUnlessLate(difference(rig.pcm, Self.clips[0].pcm() + next.pcm()) == nil))
    }
  }
}
