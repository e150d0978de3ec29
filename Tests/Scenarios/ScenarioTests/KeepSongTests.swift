import Foundation
import MediaSupport
import RadioEngine
import RadioSupport
import Recordings
import StationSupport
import TestSupport
import Testing
import Units

/// Saves the current or previous song from the buffer, cut at the title changes (N3).
@Suite struct KeepSongTests {
  private static let clip = Clip.mp3(40)
  private static let metaint = 400
  private static let titles = (0..<8).map { (at: $0 * 80_000, text: "Band \($0) - Song \($0)") }
  private static var mixed: [UInt8] { Icy.interleave(clip.bytes, metaint: metaint, titles: titles) }

  /// Byte offset of a title's start in the audio.
  private static func border(_ number: Int) -> Int { (titles[number].at + metaint - 1) / metaint * metaint }

  /// Checks that a file is song `number`, with a tolerance of about one packet.
  private static func check(_ kept: (song: KeptSong, bytes: [UInt8])?, _ number: Int, margin: Int = 0) throws {
    let kept = try #require(kept)
    let start = try #require(place(of: kept.bytes, in: clip.bytes))
    let packet = (clip.packets[0].bytes.count + 1) * (margin > 0 ? 3 : 2) / 2 + 8
    #expect(abs(start - (border(number) - margin)) <= packet)
    #expect(abs(start + kept.bytes.count - (border(number + 1) + margin)) <= packet)
    #expect(clip.packetOffsets.contains(start) && clip.packetOffsets.contains(start + kept.bytes.count))
    #expect(kept.song.title.text == "Band \(number) - Song \(number)")
    #expect(kept.song.path.hasSuffix("/Band \(number) - Song \(number).mp3") && kept.song.missing == 0)
  }

  @Test("The previous song is cut at its title's start and end, at any listener position (N3)", arguments: [0.0, 1])
  func previous(margin: Double) async throws {
    try await Stage.run {
      let station = try ScriptedStation([.live("icy-metaint: \(Self.metaint)"), .send(Self.mixed), .stall])
      defer { station.close() }
      let bench = try RecordingBench(isPaced: false) { $0.recording.margin = StreamTime(seconds: margin) }
      bench.rig.tune(station.url())
      #expect(bench.rig.run { bench.radio.status.title?.track == "Song 7" })
      let bytes = Int(margin * 16_000)
      let song = try bench.radio.keep(.previous)
      #expect(!song.goesOn && song.title.track == "Song 6")
      try Self.check(bench.waitForKeptSong(), 6, margin: bytes)
      for number in [4, 2] {
        bench.radio.pause()
        bench.radio.seek(to: Double(number) * 5 + 7.5)
        #expect(bench.rig.run { bench.radio.status.position < Double(number) * 5 + 8 })
        try bench.radio.keep(.previous)
        try Self.check(bench.waitForKeptSong(), number, margin: bytes)
      }
      for _ in 0..<100 { #expect(throws: RecordingError.keptAlready) { try bench.radio.keep(.previous) } }
      #expect(!bench.folder.bytes(of: "Band 2 - Song 2.mp3").isEmpty)
      #expect(bench.folder.bytes(of: "Band 2 - Song 2 (2).mp3").isEmpty)
      #expect(bench.radio.state == .paused)
      _ = bench.radio.close()
    }
  }

  @Test("The audible song is completed as it arrives, during playback")
  func current() async throws {
    try await Stage.run(speed: 4) {
      let station = try ScriptedStation([
        .live("icy-metaint: \(Self.metaint)"), .pace(Self.mixed, perSecond: 16_200, burst: 20_000), .stall,
      ])
      defer { station.close() }
      let bench = try RecordingBench()
      bench.rig.tune(station.url())
      try bench.radio.record(RecordingOrder("all", reach: .folder))
      #expect(throws: RecordingError.noSong) { try bench.radio.keep() }
      #expect(bench.rig.run(60) { bench.radio.status.title?.track == "Song 2" })
      let song = try bench.radio.keep()
      #expect(song.title.track == "Song 2")
      #expect(throws: RecordingError.keptAlready) { try bench.radio.keep() }
      try bench.radio.keep(.previous)
      for _ in 0..<2 {
        let kept = try #require(bench.waitForKeptSong())
        try Self.check(kept, kept.song.title.track == "Song 1" ? 1 : 2)
      }
      #expect(bench.end()?.error == nil)
      #expect(difference(bench.folder.bytes(of: "all"), beginningOf: Self.clip.bytes) == nil)
      #expect(bench.rig.holdsUnlessLate(bench.radio.close().underruns == 0))
    }
  }

  @Test("A song without its beginning is saved from there, and the missing part is reported")
  func dropped() async throws {
    try await Stage.run(speed: 4) {
      let station = try ScriptedStation([
        .live("icy-metaint: \(Self.metaint)"), .pace(Self.mixed, perSecond: 16_200, burst: 20_000), .stall,
      ])
      defer { station.close() }
      // Twelve blocks stay free for the next read.
      let bench = try RecordingBench { $0.blockCount = 26 }
      bench.rig.tune(station.url())
      #expect(bench.rig.run(60) { bench.radio.status.title?.track == "Song 3" && bench.radio.status.position > 18 })
      #expect(throws: RecordingError.songGone) { try bench.radio.keep(.previous) }
      let song = try bench.radio.keep()
      #expect(song.missing > 0.1 && song.missing < 4)
      let kept = try #require(bench.waitForKeptSong())
      let start = try #require(place(of: kept.bytes, in: Self.clip.bytes))
      let late = Double(start - Self.border(3)) / 16_000
      #expect(abs(late - kept.song.missing) < 0.1)
    }
  }

  @Test("Without titles there is no song, and a sentence says so")
  func none() async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.onAir(Clip.mp3(4)))
      defer { station.close() }
      let bench = try RecordingBench(isPaced: false)
      #expect(throws: RecordingError.nothing) { try bench.radio.keep() }
      bench.rig.tune(station.url())
      #expect(bench.rig.next("playing") != nil)
      #expect(throws: RecordingError.noSong) { try bench.radio.keep() }
    }
  }
}
