import Foundation
import MediaSupport
import StationSupport
import TestSupport
import Testing

@Suite struct RecordTests {
  @Test("play records to a path, and reports it at the end")
  func plays() async throws {
    try await Stage.run {
      let clip = Clip.mp3(5)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      let folder = TemporaryFolder()
      let path = folder.path + "/a.mp3"
      for turn in 0..<2 {
        let outcome = try Program(
          ["play", "--output", "null", "--pace", "free", "--retry", "none", "--events", "-", "--record", path]
            + (turn == 1 ? ["--append"] : []) + [station.url()]
        ).waitForEnd()
        // Two threads report the ends of playback and recording, in either order.
        let last = outcome.events.suffix(3)
        #expect(outcome.code == 0 && last.last == "summary", "\(outcome.events)")
        #expect(last.dropLast().sorted() == ["recordingStopped", "stopped"], "\(outcome.events)")
        #expect(outcome.outputText.contains("\"path\":\"\(path)\",\"bytes\":\(clip.bytes.count),\"error\":null"))
        #expect(outcome.errors.contains("Recorded \(clip.bytes.count) bytes to \(path)"))
      }
      #expect(folder.bytes(of: "a.mp3") == clip.bytes + clip.bytes)
      let refused = try Program(
        ["play", "--output", "null", "--record", folder.path, station.url()]
      ).waitForEnd()
      #expect((refused.code, station.visits.count) == (1, 2))
      #expect(refused.errors == "bakelite: Could not record to \(folder.path): it is a folder; name a file.\n")
      #expect(try Program(["play", "--append", station.url()]).waitForEnd().code == 2)
    }
  }

  @Test("A recording is not continued in another codec: one sentence, and the program ends")
  func otherCodec() async throws {
    try await Stage.run {
      let (old, new) = (Clip.mp3(2), Clip.aac(30))
      let station = try ScriptedStation { _ in [.live(type: "audio/aac"), .send(new.bytes), .stall] }
      defer { station.close() }
      let folder = TemporaryFolder()
      let path = folder.write(old.bytes, to: "a.mp3")
      let outcome = try Program.run("play", "--output", "null", "--record", path, "--append", station.url())
      #expect(outcome.code == 1)
      let sentence = "\(path) contains MP3 at 44100 Hz, stereo, but the sound is AAC"
      #expect(outcome.errors.components(separatedBy: sentence).count == 2, "\(outcome.errors)")
      #expect(folder.bytes(of: "a.mp3") == old.bytes)
    }
  }

  @Test("A file name for another codec is reported once, and recorded", arguments: ["a.mp3", "a.aac", "a"])
  func otherEnding(name: String) async throws {
    try await Stage.run {
      let clip = Clip.aac(3)
      let station = try ScriptedStation { _ in [.live(type: "audio/aac"), .send(clip.bytes)] }
      defer { station.close() }
      let folder = TemporaryFolder()
      let outcome = try Program.run(
        "play", "--output", "null", "--pace", "free", "--retry", "none", "--record", name, station.url(),
        directory: folder.path)
      let sentence = "The sound is AAC, and some players refuse AAC in a.mp3; the usual ending is .aac.\n"
      #expect(outcome.errors.components(separatedBy: sentence).count == (name == "a.mp3" ? 2 : 1), "\(outcome.errors)")
      #expect(outcome.errors.contains("some players") == (name == "a.mp3") && !folder.bytes(of: name).isEmpty)
    }
  }

  @Test(
    "A program that ends while its disk stalls records every packet (R8.1)",
    .enabled(if: Shim.works, "needs clang, and no sanitizer"))
  func standingDisk() async throws {
    try await Stage.run {
      // More packets than the file thread's queue can buffer; the next packet marks the end of the last one.
      let (clip, more) = (Clip.mp3(16), Clip.mp3(17))
      let next = more.packets[clip.packets.count].bytes.prefix(100)
      let station = try ScriptedStation([.live(), .send(clip.bytes + next), .stall])
      defer { station.close() }
      let (folder, shim, punctuality) = (TemporaryFolder(), try Shim("disk"), Punctuality())
      let (stall, socket) = (folder.write([], to: "stall"), folder.path + "/socket")
      let program = try Program(
        [
          "play", "--output", "null", "--control", socket, "--events", "-", "--record", folder.path + "/a.mp3",
          station.url(),
        ], environment: ["LD_PRELOAD": shim.path, "BAKELITE_DISK_STALL": stall])
      #expect(program.waitForError("Playing after"))
      let peer = try ControlPeer(socket)
      #expect(peer.waitForNumber("duration") { $0 > clip.duration - 0.01 })
      #expect(folder.bytes(of: "a.mp3").isEmpty)
      // At the end the program waits half a second for space in the queue.
      program.interrupt()
      usleep(150_000)
      try FileManager.default.removeItem(atPath: stall)
      let outcome = try program.waitForEnd(within: 10)
      #expect(outcome.code == 0)
      let recorded = folder.bytes(of: "a.mp3")
      #expect(punctuality.holdsUnlessLate(difference(recorded, clip.bytes) == nil), "\(recorded.count) bytes")
    }
  }

  @Test("A killed program leaves everything up to the last second")
  func killed() async throws {
    try await Stage.run {
      let clip = Clip.mp3(20)
      let station = try ScriptedStation([.live(), .pace(clip.bytes, perSecond: 32_000, burst: 32_000), .stall])
      defer { station.close() }
      let folder = TemporaryFolder()
      let socket = folder.path + "/socket"
      let program = try Program([
        "play", "--output", "null", "--control", socket, "--record", folder.path + "/a.mp3", station.url(),
      ])
      #expect(program.waitForError("Playing after"))
      let peer = try ControlPeer(socket)
      #expect(peer.waitForNumber("recording_bytes") { $0 > 100_000 })
      let bytes = Int(peer.status()["recording_bytes"] ?? "") ?? 0
      program.signal(SIGKILL)
      _ = try program.waitForEnd()
      let recorded = folder.bytes(of: "a.mp3")
      #expect(recorded.count > bytes - 32_000 && difference(recorded, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("Clients record, save songs, and see the free space")
  func control() async throws {
    try await Stage.run {
      let clip = Clip.mp3(30)
      let titles = (0..<3).map { (at: $0 * 80_000, text: "Band \($0) - Song \($0)") }
      let mixed = Icy.interleave(clip.bytes, metaint: 400, titles: titles)
      let station = try ScriptedStation([
        .live("icy-metaint: 400"), .pace(mixed, perSecond: 17_000, burst: 300_000), .stall,
      ])
      defer { station.close() }
      let folder = TemporaryFolder()
      let socket = folder.path + "/socket"
      let program = try Program([
        "play", "--output", "null", "--control", socket, "--recordings", folder.path + "/r", station.url(),
      ])
      #expect(program.waitForError("Playing after"))
      let (peer, events) = (try ControlPeer(socket), try ControlPeer(socket))
      #expect(events.request("radio_events") == [])
      #expect(peer.request("radio_record start evening.mp3") == [])
      #expect(
        peer.request("radio_record start b.mp3")?.first
          == "ACK [52@0] {radio_record} A recording is running; end it first."
      )
      #expect(
        peer.waitForNumber("recording_bytes") { $0 > 10_000 } && peer.waitForNumber("recording_free") { $0 > 1_000 })
      #expect(peer.status()["recording"] == folder.path + "/r/evening.mp3")
      #expect(peer.request("radio_record stop") == [])
      #expect(events.waitForReceived("\"event\":\"recordingStopped\",\"path\":\"\(folder.path)/r/evening.mp3\""))
      #expect(peer.status()["recording"] == nil)
      #expect(peer.request("radio_record start \(folder.path)/c.mp3") == [] && peer.request("radio_record stop") == [])
      // The track is reported when it is audible, not when it is received.
      #expect(peer.request("radio_forward 12") == [] && events.waitForReceived("\"track\":\"Song 2\",\"at\":"))
      let kept = peer.request("radio_keep previous") ?? []
      #expect(kept.prefix(2) == ["path: \(folder.path)/r/Band 1 - Song 1.mp3", "title: Band 1 - Song 1"])
      #expect(events.waitForReceived("\"event\":\"songKept\""))
      let start = place(of: folder.bytes(of: "r/Band 1 - Song 1.mp3"), in: clip.bytes) ?? 0
      #expect(abs(start - 80_000) < 430)
      program.interrupt()
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }
}

/// Tests start positions and durations of files on the command line (O1, R11.2).
@Suite struct FileStartTests {
  private static let clip = Clip(ToneMp3.frames(400, seed: 41))

  @Test("play --start begins with the requested sample")
  func start() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let station = try ScriptedStation(FileServer(Self.clip.bytes))
      defer { station.close() }
      for place in [station.url("/song.mp3"), folder.write(Self.clip.bytes, to: "song.mp3")] {
        let output = "raw:" + folder.path + "/pcm"
        let run = try Program.run("play", "--output", output, "--pace", "free", "--start", "6.5", place)
        #expect(run.code == 0)
        let expected = Array(Self.clip.pcm().dropFirst(Int(6.5 * 44_100) * 4))
        let difference = difference(folder.bytes(of: "pcm"), expected)
        #expect(difference == nil)
      }
    }
  }

  @Test("A start past a file's end fails with the file's length")
  func startBehindEnd() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let station = try ScriptedStation(FileServer(Self.clip.bytes))
      defer { station.close() }
      for place in [station.url("/song.mp3"), folder.write(Self.clip.bytes, to: "song.mp3")] {
        let run = try Program.run("play", "--output", "null", "--pace", "free", "--start", "5000.5", place)
        let sentence = "bakelite: The file has a length of 0:10, so playback cannot start at second 5000.5; "
        #expect(run.code == 1 && run.errors.components(separatedBy: sentence).count == 2, "\(run.errors)")
      }
    }
  }

  @Test("probe prints a file's length without encoder padding, and if it is seekable")
  func probe() async throws {
    try await Stage.run {
      let sound = Self.clip.bytes
      let bytes = ToneMp3.infoPacket(400, byteCount: sound.count, delay: 576, padding: 1_105) + sound
      let station = try ScriptedStation(FileServer(bytes))
      defer { station.close() }
      let run = try Program.run("probe", "--json", station.url("/song.mp3"))
      let told = String(decoding: run.output, as: UTF8.self)
      #expect(told.contains(#""duration":10.411"#), "\(told)")
      #expect(told.contains(#""seekable":true"#))
    }
  }

  @Test("probe prints the length of a joined file, also if its first part states another", arguments: [true, false])
  func probeJoined(isStalled: Bool) async throws {
    try await Stage.run {
      let parts = [(400, Self.clip.bytes), (200, ToneMp3.frames(200, seed: 71))]
      let bytes = parts.flatMap { count, sound in
        ToneMp3.infoPacket(count, byteCount: sound.count, delay: 576, padding: 1_105) + sound
      }
      let file = FileServer(bytes)
      let station = try ScriptedStation { visit in
        let range = visit.header("Range") ?? ""
        let isProbe = !range.isEmpty && !range.hasPrefix("bytes=0-") && !range.hasSuffix("-")
        return isStalled && isProbe ? [.stall] : file.actions(for: visit)
      }
      defer { station.close() }
      let began = monotonicSeconds()
      let run = try Program.run("probe", "--json", station.url("/song.mp3"))
      let told = String(decoding: run.output, as: UTF8.self)
      // A silent server delays the answer by the limit of a search.
      #expect(told.contains(isStalled ? #""duration":1"# : #""duration":15.6"#), "\(told)")
      #expect(monotonicSeconds() - began < 10)
    }
  }
}
