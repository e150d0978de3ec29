import Foundation
import Glibc
import MediaSupport
import RadioEngine
import RadioSupport
import Recordings
import StationSupport
import TestSupport
import Testing

/// A failing recording reports its reason and keeps the recorded part; playback continues (R8.2).
@Suite struct RecordingFaultTests {
  static let isRoot = geteuid() == 0 && Repository.tool("mount") != nil

  private static func fault(
    _ words: String, keeps: Bool = true, _ settings: (inout RadioSettings) -> Void = { _ in },
    _ fault: (RecordingBench) throws -> Void
  ) throws {
    let clip = Clip.mp3(40)
    let broadcast = Broadcast(clip, burst: 4)
    let station = try ScriptedStation { visit in [.live()] + broadcast.actions(visit) }
    defer { station.close() }
    let bench = try RecordingBench(settings)
    try FileManager.default.createDirectory(atPath: bench.path("deep"), withIntermediateDirectories: false)
    bench.rig.tune(station.url())
    #expect(bench.rig.next("playing") != nil)
    try fault(bench)
    let told = try #require(bench.waitForRecordingEnd(within: 60))
    #expect(told.error?.contains(words) == true, "\(told.error ?? "")")
    #expect(bench.radio.recording == nil)
    let before = bench.radio.status.position
    bench.rig.run(for: 2)
    #expect(bench.radio.state == .playing && bench.radio.status.position > before + 1)
    #expect(bench.rig.holdsUnlessLate(bench.radio.status.underruns == 0))
    if keeps {
      let recorded = bench.folder.bytes(of: "deep/a")
      #expect(told.bytes == recorded.count && recorded.count > 10_000)
      let start = try #require(place(of: recorded, in: clip.bytes))
      #expect(
        clip.packetOffsets.contains(start) && clip.packetOffsets.contains(start + recorded.count), "whole packets")
    }
    _ = bench.radio.close()
  }

  @Test("A full disk ends the recording with the reason (R8.2)", .enabled(if: isRoot, "only root mounts a small disk"))
  func full() async throws {
    try await Stage.run(speed: 4) {
      var folder = ""
      defer { _ = umount2(folder, Int32(MNT_DETACH)) }
      try Self.fault("its disk is full") { bench in
        folder = bench.path("deep")
        try #require(mount("tmpfs", folder, "tmpfs", 0, "size=100k") == 0)
        try bench.radio.record(RecordingOrder(bench.path("deep/a")))
      }
    }
  }

  @Test("A disk that becomes read-only ends the recording", .enabled(if: isRoot, "only root mounts a small disk"))
  func readOnly() async throws {
    try await Stage.run(speed: 4) {
      var folder = ""
      defer { _ = umount2(folder, Int32(MNT_DETACH)) }
      let bench = try RecordingBench()
      folder = bench.folder.path
      try #require(mount("tmpfs", folder, "tmpfs", UInt(MS_RDONLY), "size=100k") == 0)
      #expect(throws: RecordingError.self) { try bench.radio.record(RecordingOrder(bench.path("a"))) }
      do throws(RecordingError) { try bench.radio.record(RecordingOrder(bench.path("a"))) } catch {
        #expect(error.description.hasSuffix("its disk can only be read; choose another place."))
      }
      #expect(bench.radio.recording == nil)
    }
  }

  @Test("A removed folder ends the recording")
  func removed() async throws {
    try await Stage.run(speed: 4) {
      try Self.fault("was removed during the recording", keeps: false) { bench in
        try bench.radio.record(RecordingOrder(bench.path("deep/a")))
        #expect(bench.waitForRecordedBytes(30_000))
        try FileManager.default.removeItem(atPath: bench.path("deep"))
      }
    }
  }

  @Test("A split recording with too many titles ends with the reason")
  func titleFlood() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.mp3(40)
      let titles = stride(from: 0, to: clip.bytes.count, by: 400).map { (at: $0, text: "Title \($0)") }
      let mixed = Icy.interleave(clip.bytes, metaint: 400, titles: titles)
      let station = try ScriptedStation([
        .live("icy-metaint: 400"), .pace(mixed, perSecond: 18_000, burst: 60_000), .stall,
      ])
      defer { station.close() }
      let bench = try RecordingBench()
      try bench.radio.record(RecordingOrder("evening", reach: .folder, splits: true))
      bench.rig.tune(station.url())
      let told = try #require(bench.waitForRecordingEnd(within: 60))
      #expect(
        told.error?.contains("evening ended; the audio before that is recorded") == true, "\(told.error ?? "none")")
      #expect(told.error?.hasPrefix("The station changed its title more than 10 times in 10 s") == true)
      let names = try FileManager.default.contentsOfDirectory(atPath: bench.path("evening"))
      let sizes = names.map { bench.folder.bytes(of: "evening/\($0)").count }
      #expect((1...11).contains(names.filter { $0.hasSuffix(".mp3") }.count) && sizes.reduce(0, +) == told.bytes)
      #expect(bench.radio.recording == nil && bench.rig.run { bench.radio.state == .playing })
      try bench.radio.record(RecordingOrder(bench.path("whole")))
      #expect(bench.end()?.error == nil, "it may go on without")
    }
  }

  @Test("A recording leaves the configured space free")
  func floor() async throws {
    try await Stage.run(speed: 4) {
      let bench = try RecordingBench { $0.recording.floor = 1 << 60 }
      do throws(RecordingError) {
        try bench.radio.record(RecordingOrder(bench.path("a")))
        Issue.record("there is no room")
      } catch {
        #expect(error.description.contains("that must stay free; delete files there."))
      }
      #expect(FileManager.default.fileExists(atPath: bench.path("a")) == false || bench.folder.bytes(of: "a").isEmpty)
    }
  }

  @Test("A recording ends when the folder has its maximum size, and none starts before files are deleted")
  func limit() async throws {
    try await Stage.run(speed: 4) {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(60)) }
      defer { station.close() }
      let bench = try RecordingBench { $0.recording.limit = .bytes(100_000) }
      let deep = "songs/a/b/c/d/e"
      try FileManager.default.createDirectory(atPath: bench.path(deep), withIntermediateDirectories: true)
      bench.folder.write([UInt8](repeating: 0, count: 60_000), to: "\(deep)/a.mp3")
      // A file without data occupies no space, whatever its length.
      bench.folder.write([], to: "songs/sparse.mp3")
      for name in ["sparse.mp3", "other.mp3"] {
        bench.folder.write([], to: "songs/\(name)")
        _ = truncate(bench.path("songs/\(name)"), 1 << 40)
      }
      bench.rig.tune(station.url())
      #expect(bench.rig.run { bench.radio.state == .playing })
      try bench.radio.record(RecordingOrder("a.mp3", reach: .folder))
      let told = try #require(bench.waitForRecordingEnd(within: 60))
      #expect(told.error?.contains("because the folder has reached its limit; delete files there") == true)
      #expect(told.bytes >= 36_000 && bench.folder.bytes(of: "a.mp3").count == told.bytes)
      do throws(RecordingError) {
        try bench.radio.record(RecordingOrder("b.mp3", reach: .folder))
        Issue.record("the folder is full")
      } catch {
        #expect(error.description.contains("have reached their limit of 1 MB; delete files there"))
      }
      #expect(!FileManager.default.fileExists(atPath: bench.path("b.mp3")), "no empty file stays")
      try bench.radio.record(RecordingOrder(bench.path("free.mp3")))
      #expect(bench.waitForRecordedBytes(1) && bench.end()?.error == nil, "a path of the owner's has no limit")
      try FileManager.default.removeItem(atPath: bench.path("songs"))
      try FileManager.default.removeItem(atPath: bench.path("a.mp3"))
      try FileManager.default.removeItem(atPath: bench.path("free.mp3"))
      // The size of a folder counts for some time if it took long to find.
      let end = monotonicSeconds() + 60
      var isBegun = false
      while !isBegun, monotonicSeconds() < end {
        isBegun = (try? bench.radio.record(RecordingOrder("b.mp3", reach: .folder))) != nil
      }
      #expect(isBegun && bench.waitForRecordedBytes(1) && bench.end()?.error == nil)
    }
  }

  @Test(
    "A protected target stays unchanged, with a sentence",
    arguments: [
      ("text", "no recording, so it is not replaced"), ("link", "a symbolic link is in the way"),
      ("folder", "it is a folder; name a file"), ("nowhere/a", "its folder is not there"),
      ("../a", "no name within the recordings folder"), ("linked/a", "is not there"), ("", "no name within"),
      ("a/../b", "no name within"), ("pipe", "no ordinary file"), ("twin", "no ordinary file"),
    ])
  func refusals(_ name: String, _ words: String) async throws {
    try await Stage.run {
      let bench = try RecordingBench()
      let outside = TemporaryFolder()
      outside.write(Array("secret".utf8), to: "text")
      bench.folder.write(Array("What is no recording stays.".utf8), to: "text")
      try FileManager.default.createSymbolicLink(
        atPath: bench.path("link"), withDestinationPath: outside.path + "/text")
      try FileManager.default.createSymbolicLink(atPath: bench.path("linked"), withDestinationPath: outside.path)
      try FileManager.default.createDirectory(atPath: bench.path("folder"), withIntermediateDirectories: false)
      mkfifo(bench.path("pipe"), 0o600)
      bench.folder.write(Clip.mp3(1).bytes, to: "one")
      try FileManager.default.linkItem(atPath: bench.path("one"), toPath: bench.path("twin"))
      do throws(RecordingError) {
        try bench.radio.record(RecordingOrder(name, reach: .folder))
        Issue.record("it is recorded to")
      } catch {
        #expect(error.description.contains(words), "\(error)")
      }
      #expect(bench.radio.recording == nil && bench.folder.bytes(of: "one") == Clip.mp3(1).bytes)
      #expect(String(decoding: bench.folder.bytes(of: "text"), as: UTF8.self) == "What is no recording stays.")
      #expect(outside.bytes(of: "text") == Array("secret".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["text"])
    }
  }

  @Test("A recording in another codec is not continued")
  func otherFormat() async throws {
    try await Stage.run(speed: 4) {
      let station = try ScriptedStation(StationAction.onAir(Clip.mp3(10)))
      defer { station.close() }
      let bench = try RecordingBench()
      let old = Clip.aac(2).bytes
      bench.folder.write(old, to: "a")
      try bench.radio.record(RecordingOrder(bench.path("a"), appends: true))
      bench.rig.tune(station.url())
      let told = try #require(bench.waitForRecordingEnd())
      #expect(
        told.bytes == 0 && told.error?.contains("contains AAC at 44100 Hz, stereo, but the sound is MP3 at") == true)
      #expect(bench.rig.run { bench.radio.state == .playing })
      #expect(throws: RecordingError.self) {
        try bench.radio.record(RecordingOrder(bench.path("a"), appends: true))
      }
      #expect(bench.folder.bytes(of: "a") == old && bench.radio.recording == nil)
      try bench.radio.record(RecordingOrder(bench.path("a")))
      #expect(bench.end()?.error == nil && bench.folder.bytes(of: "a") != old)
    }
  }
}
