import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import Recordings
import StationSupport
import TestSupport
import Testing
import Units

/// A recording contains the station's packets byte for byte (R8.1).
@Suite struct RecordingTests {
  @Test(
    "A recording started before the station has its audio from the first packet",
    arguments: ["MP3", "AAC", "MP3 with titles", "AAC with titles"])
  func fromTheFirstPacket(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let isAac = kind.hasPrefix("AAC")
      let clip = isAac ? Clip.aac(12) : Clip.mp3(12)
      let titles = (0..<4).map { (at: $0 * 40_000, text: "Band \"\($0)\" - Song \($0)") }
      let metaint = kind.hasSuffix("titles") ? 1_000 : 0
      // The next packet marks the end of the last one.
      let more = isAac ? Clip.aac(13) : Clip.mp3(13)
      let audio = clip.bytes + more.packets[clip.packets.count].bytes.prefix(100)
      let sent = metaint > 0 ? Icy.interleave(audio, metaint: metaint, titles: titles) : audio
      let head = StationAction.live(
        metaint > 0 ? "icy-metaint: \(metaint)" : "x: y", type: isAac ? "audio/aac" : "audio/mpeg")
      let station = try ScriptedStation([
        head, .pace(sent, perSecond: clip.byteRate, burst: Int(2 * clip.byteRate)), .stall,
      ])
      defer { station.close() }
      let bench = try RecordingBench()
      let path = bench.path(isAac ? "a.aac" : "a.mp3")
      try bench.radio.record(RecordingOrder(path))
      #expect(bench.radio.recording?.byteCount == 0)
      bench.rig.tune(station.url())
      #expect(bench.waitForRecordedBytes(40_000))
      bench.radio.pause()
      bench.rig.run(for: 1)
      bench.radio.resume()
      bench.rig.run(for: 1)
      bench.radio.rewind(by: 3)
      #expect(bench.waitForRecordedBytes(clip.bytes.count))
      let status = try #require(bench.radio.status.recording)
      #expect(status.path == path && abs(status.seconds - clip.duration) < 0.1)
      #expect(status.freeByteCount ?? 0 > 0 && status.secondsLeft ?? 0 > 1)
      let told = try #require(bench.end())
      let recorded = bench.folder.bytes(of: FileManager.default.displayName(atPath: path))
      #expect(told.error == nil && told.bytes == recorded.count)
      #expect(difference(recorded, clip.bytes) == nil)
      #expect(bench.radio.recording == nil)
      #expect(bench.rig.holdsUnlessLate(bench.radio.close().underruns == 0))
      let cue = String(decoding: bench.folder.bytes(of: "a.cue"), as: UTF8.self)
      #expect(cue.contains("FILE \"a.\(isAac ? "aac\" WAVE" : "mp3\" MP3")\n  TRACK 01 AUDIO\n    TITLE "))
      guard metaint > 0 else { return }
      #expect(cue.contains("    TITLE \"Song 3\"\n    PERFORMER \"Band '3'\"\n    INDEX 01 00:0"))
      #expect(
        cue.split(separator: "\n").count { $0.hasPrefix("  TRACK") } == 4 + (cue.contains("Test FM\"\n    I") ? 1 : 0))
    }
  }

  @Test("A reconnect leaves neither a repeated nor a broken packet", arguments: ["MP3", "AAC"])
  func reconnect(kind: String) async throws {
    try await Stage.run(speed: 2) {
      let clip = kind == "AAC" ? Clip.aac(20) : Clip.mp3(20)
      let broadcast = Broadcast(clip, burst: 3)
      let station = try ScriptedStation { visit in
        [.live(type: kind == "AAC" ? "audio/aac" : "audio/mpeg")]
          + broadcast.actions(visit, for: 0.7 + Double(visit.number % 3) / 5) + (visit.number == 1 ? [.reset] : [])
      }
      defer { station.close() }
      let bench = try RecordingBench()
      try bench.radio.record(RecordingOrder("a", reach: .folder))
      bench.rig.tune(station.url())
      #expect(bench.rig.run(30) { bench.rig.events("stitched").count == 3 })
      bench.rig.run(for: 0.5)
      let told = try #require(bench.end())
      for case .stitched(let overlap, _, let isExact, _) in bench.rig.events("stitched") {
        #expect(isExact && overlap > 0.2)
      }
      let recorded = bench.folder.bytes(of: "a")
      #expect(told.error == nil && recorded.count > 60_000)
      #expect(difference(recorded, beginningOf: clip.bytes) == nil)
    }
  }

  @Test(
    "A recording started later has whole packets, without a new request (R8.1)",
    arguments: ["MP3", "AAC"])
  func inTheMidst(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = kind == "AAC" ? Clip.aac(16) : Clip.mp3(16)
      let broadcast = Broadcast(clip, burst: 2)
      let station = try ScriptedStation { visit in
        [.live(type: kind == "AAC" ? "audio/aac" : "audio/mpeg")] + broadcast.actions(visit)
      }
      defer { station.close() }
      let bench = try RecordingBench()
      bench.rig.tune(station.url())
      #expect(bench.rig.next("playing") != nil)
      bench.rig.run(for: 3)
      let here = bench.radio.status.blocks.byteCount.value
      try bench.radio.record(RecordingOrder(bench.path("a")))
      #expect(throws: RecordingError.self) { try bench.radio.record(RecordingOrder(bench.path("b"))) }
      #expect(bench.waitForRecordedBytes(40_000))
      #expect(bench.end()?.error == nil && station.visits.count == 1)
      let recorded = bench.folder.bytes(of: "a")
      let start = try #require(place(of: recorded, in: clip.bytes))
      #expect(clip.packetOffsets.contains(start) && clip.packetOffsets.contains(start + recorded.count))
      #expect(start <= here && start > here - 1_500)
    }
  }

  @Test(
    "2.3.8: Without a reset, every packet has its decoder's data (R12)",
    arguments: ["long-cbr-22050.mp3", "long-vbr-22050.mp3"])
  func reservoirs(name: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip(Repository.bytes("Tests/Support/Fixtures/\(name)"))
      #expect(
        (10..<20).allSatisfy { !clip.from($0).undecodablePackets.isEmpty }, "no packet of it is a sound by itself")
      // A hundred packets are available at the start; the head of the next one marks their end.
      let known = clip.prefix(packets: 100).bytes
      let (sent, more) = (known + clip.packets[100].bytes.prefix(60), Gate())
      let station = try ScriptedStation([
        .live(), .send(sent), .gate(more), .send(Array(clip.bytes.dropFirst(sent.count))), .stall,
      ])
      defer { station.close() }
      let bench = try RecordingBench()
      bench.rig.tune(station.url())
      // A first packet with a VBR header may be omitted.
      let least = known.count - clip.packets[0].bytes.count
      #expect(bench.rig.run { bench.radio.status.blocks.byteCount.value >= least })
      try bench.radio.record(RecordingOrder(bench.path("a.mp3")))
      more.open()
      #expect(bench.waitForRecordedBytes(20_000))
      #expect(bench.end()?.error == nil && station.visits.count == 1)
      let recorded = Clip(bench.folder.bytes(of: "a.mp3"))
      let start = try #require(place(of: recorded.bytes, in: clip.bytes))
      let first = try #require(clip.packetOffsets.firstIndex(of: start))
      // The recording starts with the packets that the newest packet needs for decoding.
      #expect(
        first < 99 && recorded.undecodablePackets.allSatisfy { first + $0 < 99 },
        "\(recorded.undecodablePackets) from \(first)")
    }
  }

  @Test("2.3.1: With a reset, a recording starts with a connection's first packet (R12)", arguments: ["MP3", "AAC"])
  func reset(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = kind == "AAC" ? Clip.aac(24) : Clip.mp3(16)
      let station = try ScriptedStation([
        .live(type: kind == "AAC" ? "audio/aac" : "audio/mpeg"), .send(clip.bytes), .stall,
      ])
      defer { station.close() }
      let bench = try RecordingBench()
      bench.rig.tune(station.url())
      #expect(bench.rig.next("playing") != nil)
      bench.rig.run(for: 1)
      try bench.radio.record(RecordingOrder(bench.path("a"), resets: true))
      #expect(bench.rig.next("playing") != nil && bench.waitForRecordedBytes(200_000))
      #expect(bench.end()?.error == nil && station.visits.count == 2)
      #expect(difference(bench.folder.bytes(of: "a"), beginningOf: clip.bytes) == nil)
    }
  }

  @Test("A recording continued twice decodes completely", arguments: ["MP3", "AAC"])
  func append(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = kind == "AAC" ? Clip.aac(30) : Clip.mp3(30)
      let broadcast = Broadcast(clip, burst: 2)
      let station = try ScriptedStation { visit in
        [.live(type: kind == "AAC" ? "audio/aac" : "audio/mpeg")] + broadcast.actions(visit)
      }
      defer { station.close() }
      let bench = try RecordingBench()
      bench.rig.tune(station.url())
      let name = kind == "AAC" ? "a.aac" : "a.mp3"
      var sizes: [Int] = []
      for turn in 0..<3 {
        bench.rig.run(for: 1.5)
        try bench.radio.record(RecordingOrder(name, reach: .folder, appends: turn > 0))
        #expect(bench.waitForRecordedBytes(30_000))
        #expect(bench.end()?.error == nil)
        sizes.append(bench.folder.bytes(of: name).count)
        if turn == 1 { bench.folder.write(bench.folder.bytes(of: name) + clip.packets[0].bytes.prefix(100), to: name) }
      }
      let recorded = bench.folder.bytes(of: name)
      let again = Clip(recorded)
      #expect(again.bytes == recorded, "nothing in it but packets")
      #expect(sizes.count == 3 && sizes[0] > 30_000 && sizes[2] > sizes[1] + 25_000 && sizes[1] > sizes[0] + 25_000)
      try #require(sizes.count == 3 && sizes == sizes.sorted() && recorded.count >= sizes[2])
      for part in [0..<sizes[0], sizes[0]..<sizes[1], sizes[1]..<sizes[2]] {
        #expect(place(of: Array(recorded[part]), in: clip.bytes) != nil)
      }
      for player in ["ffmpeg", "mpg123"] where kind == "MP3" || player == "ffmpeg" {
        let words = Player.errorOutput(player, bench.path(name))
        if words == nil { print("\(player) is not here, and was not asked") }
        #expect(words ?? "" == "")
      }
      let cue = String(decoding: bench.folder.bytes(of: "a.cue"), as: UTF8.self)
      #expect(cue.split(separator: "\n").count { $0.hasPrefix("FILE") } == 1, "\(cue)")
      let tracks = cue.split(separator: "\n").filter { $0.hasPrefix("  TRACK ") }
      #expect(tracks == (1...max(1, tracks.count)).map { "  TRACK \($0 < 10 ? "0" : "")\($0) AUDIO" }, "\(cue)")
    }
  }

  @Test("Another station or format ends a recording with the reason")
  func changes() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.mp3(4)
      let other = Clip.aac(4)
      let station = try ScriptedStation { visit in
        [.live(), .send(clip.bytes + (visit.path == "/mixed" ? other.bytes : [])), .stall]
      }
      defer { station.close() }
      let bench = try RecordingBench()
      try bench.radio.record(RecordingOrder(bench.path("a")))
      bench.rig.tune(station.url("/mixed"))
      let change = try #require(bench.waitForRecordingEnd())
      #expect(change.error?.contains("changed from MP3 at 44100 Hz, stereo to AAC at 44100 Hz, stereo") == true)
      #expect(bench.folder.bytes(of: "a") == clip.bytes)

      bench.rig.tune(station.url("/b"))
      #expect(bench.rig.next("playing") != nil)
      try bench.radio.record(RecordingOrder(bench.path("b")))
      bench.rig.run(for: 0.5)
      bench.rig.tune(station.url("/c"))
      #expect(bench.waitForRecordingEnd()?.error?.contains("plays something else now") == true)
      #expect(place(of: bench.folder.bytes(of: "b"), in: clip.bytes) != nil)
    }
  }

  @Test("A private folder is created with its parents, for the owner alone")
  func privateFolder() async throws {
    try await Stage.run(speed: 4) {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let bench = try RecordingBench {
        $0.recording.folder += "/home/data/own"
        $0.recording.isPrivate = true
      }
      bench.rig.tune(station.url())
      #expect(bench.rig.run { bench.radio.state == .playing })
      try bench.radio.record(RecordingOrder("a.mp3", reach: .folder))
      #expect(bench.waitForRecordedBytes(10_000))
      for folder in ["home", "home/data", "home/data/own"] {
        var facts = stat()
        #expect(stat(bench.path(folder), &facts) == 0 && facts.st_mode & 0o777 == 0o700, "\(folder)")
      }
      #expect(bench.end()?.error == nil)
    }
  }

  @Test("A paused radio continues to record, however long and with a small buffer (R2.5)")
  func paused() async throws {
    try await Stage.run(speed: 10) {
      let clip = Clip.long(90)
      let broadcast = Broadcast(clip, burst: 4)
      let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
      defer { station.close() }
      let bench = try RecordingBench {
        $0.blockCount = 40
        $0.pauseTimeout = Duration(milliseconds: 2_000)
      }
      try bench.radio.record(RecordingOrder(bench.path("a")))
      bench.rig.tune(station.url())
      #expect(bench.rig.next("playing") != nil)
      bench.radio.pause()
      // The ring has room for 25 s.
      #expect(bench.waitForRecordedBytes(Int(70 * clip.byteRate), within: 120))
      #expect(bench.radio.state == .paused && station.visits.count == 1 && bench.radio.status.isResting == false)
      #expect(bench.end()?.error == nil)
      #expect(difference(bench.folder.bytes(of: "a"), beginningOf: clip.bytes) == nil)
      #expect(bench.rig.run { bench.radio.status.isResting }, "then it rests")
    }
  }

  @Test("Each title gets its own file, and together they equal the stream")
  func split() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.mp3(20)
      let titles = (0..<4).map { (at: $0 * 80_000, text: "../Band - Song/\($0)") }
      let station = try ScriptedStation([
        .live("icy-metaint: 400"),
        .pace(Icy.interleave(clip.bytes, metaint: 400, titles: titles), perSecond: 17_000, burst: 30_000), .stall,
      ])
      defer { station.close() }
      let bench = try RecordingBench()
      try bench.radio.record(RecordingOrder("evening", reach: .folder, splits: true))
      bench.rig.tune(station.url())
      #expect(bench.waitForRecordedBytes(310_000))
      #expect(bench.end()?.error == nil)
      let names = try FileManager.default.contentsOfDirectory(atPath: bench.path("evening")).sorted()
      let parts = names.map { bench.folder.bytes(of: "evening/\($0)") }
      #expect(parts.flatMap { $0 }.count > 310_000)
      #expect(difference(parts.flatMap { $0 }, beginningOf: clip.bytes) == nil, "\(names)")
      // A part that is empty before the first title has no file.
      let first = try #require(names.first.flatMap { Int($0.prefix(2)) })
      #expect(first <= 2 && names.count >= 4)
      #expect(names.suffix(3) == (1...3).map { "0\($0 + first + names.count - 4) _Band - Song_\($0).mp3" }[...])
    }
  }
}
