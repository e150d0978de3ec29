import Http
import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// Regressions with files (R12), numbered as in the history of the manual's SDK.
@Suite struct FileHistoryTests {
  private static let clip = Clip(ToneMp3.frames(800, seed: 61))
  private static let pcm = clip.pcm()

  @Test("1.16: Tags are not part of a file's duration (R12)", arguments: ["HTTP", "local"], [0.0, 15])
  func tagsInTheDuration(source: String, start: Double) async throws {
    try await Stage.run {
      let bytes = FileSoundTests.id3 + Self.clip.bytes + FileSoundTests.id3v1
      let folder = TemporaryFolder()
      let station = try ScriptedStation(FileServer(bytes))
      defer { station.close() }
      let local = try WebAddress(filePath: folder.write(bytes, to: "song.mp3")).url.unredacted
      let rig = try RadioRig(isPaced: true)
      rig.tune(source == "HTTP" ? station.url("/song.mp3") : local) { $0.start = StreamTime(seconds: start) }
      #expect(rig.next("playing") != nil)
      #expect(abs((rig.radio.duration ?? 0) - Self.clip.duration) < 0.001)
      #expect(abs(rig.radio.status.position - start) < 0.5)
    }
  }

  @Test(
    "1.16: After a long pause the elapsed time continues (R12)",
    arguments: ["the server waits", "the server hangs up", "the file is local"])
  func longPause(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let file = FileServer(Self.clip.bytes)
      let folder = TemporaryFolder()
      let station = try ScriptedStation { visit in
        kind == "the server hangs up" && visit.number == 0
          ? file.actions(for: visit, most: 150_001) + [.reset] : file.actions(for: visit)
      }
      defer { station.close() }
      let local = try WebAddress(filePath: folder.write(Self.clip.bytes, to: "song.mp3")).url.unredacted
      var settings = RadioSettings.bench
      settings.pauseTimeout = Duration(milliseconds: 2_000)
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(kind == "the file is local" ? local : station.url("/song.mp3"))
      #expect(rig.next("playing") != nil)
      #expect(rig.run { rig.radio.status.position > 2 })
      rig.radio.pause()
      rig.run(for: 1)
      let (position, heard) = (rig.radio.status.position, rig.radio.status.heard)
      rig.run(for: 40)
      #expect(rig.radio.state == .paused)
      #expect(rig.radio.status.position == position && rig.radio.status.heard == heard)
      rig.radio.resume()
      #expect(rig.next("playing") != nil)
      #expect(rig.radio.status.position - position < 0.6)
      rig.run(for: 2)
      let later = rig.radio.status
      #expect(rig.holdsUnlessLate(abs(later.position - position - 2) < 0.7))
      #expect(abs(later.position - later.heard) < 0.25)
      #expect(rig.playOut(within: 60))
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"])
      #expect(abs(rig.radio.close().heard - Self.clip.duration) < 0.001)
      // A pause may change 5 ms of ramps; the rest equals the file.
      let (sound, whole) = (Sound(rig.pcm), Sound(Self.pcm))
      #expect(sound.frames.count >= whole.frames.count)
      #expect(sound.frames.suffix(44_100).elementsEqual(whole.frames.suffix(44_100)))
    }
  }

  @Test(
    "1.17: The end of a file does not restart it (R12)",
    arguments: ["HTTP", "local", "length told wrong", "length not told", "paused before the end", "sought at the end"])
  func endIsNoRestart(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = Self.clip.prefix(4)
      let folder = TemporaryFolder()
      let file = FileServer(clip.bytes)
      let station = try ScriptedStation { visit in
        switch kind {
        case "length told wrong" where visit.number == 0: [.file(clip.bytes.count + 2_000), .send(clip.bytes)]
        case "length not told": [.head("200 OK", ["Content-Type: audio/mpeg"]), .send(clip.bytes)]
        default: file.actions(for: visit)
        }
      }
      defer { station.close() }
      let local = try WebAddress(filePath: folder.write(clip.bytes, to: "song.mp3")).url.unredacted
      let rig = try RadioRig(isPaced: true)
      rig.tune(kind == "local" ? local : station.url("/song.mp3")) { $0.mode = .file }
      #expect(rig.next("playing") != nil)
      if kind.contains("the end") {
        #expect(rig.run { rig.radio.status.position > 3.5 })
        if kind.hasPrefix("sought") {
          rig.radio.seek(to: 3.9)
        } else {
          rig.radio.pause()
          rig.run(for: 5)
          rig.radio.resume()
        }
      }
      #expect(rig.playOut(within: 60))
      let (visits, count) = (station.visits.count, rig.pcmCount)
      rig.run(for: 20)
      #expect(rig.radio.state == .stopped && rig.pcmCount == count)
      #expect(station.visits.count == visits && rig.names.suffix(2) == ["fileComplete", "stopped"])
      for name in ["connecting", "fileComplete", "stopped"] { #expect(rig.events(name).count == 1, "\(name)") }
      _ = rig.radio.close()
      guard !kind.contains("the end") else { return }
      #expect(rig.events("playing").count == 1)
      #expect(rig.holdsUnlessLate(difference(rig.pcm, clip.pcm()) == nil))
    }
  }

  @Test(
    "1.23: A file shorter than the wait plays at once, completely (R12)",
    arguments: ["HTTP", "local", "length not told"], [1, 2, 20, 110])
  func shorterThanTheWait(kind: String, packets: Int) async throws {
    try await Stage.run {
      let clip = Self.clip.prefix(packets: packets)
      let folder = TemporaryFolder()
      let station = try ScriptedStation(
        kind == "HTTP"
          ? [.file(clip.bytes.count), .send(clip.bytes)]
          : [.head("200 OK", ["Content-Type: audio/mpeg"]), .send(clip.bytes)])
      defer { station.close() }
      let local = try WebAddress(filePath: folder.write(clip.bytes, to: "song.mp3")).url.unredacted
      // The default wait is longer than these files.
      let rig = try RadioRig(isPaced: true)
      rig.tune(kind == "local" ? local : station.url("/song.mp3")) {
        ($0.addressKind, $0.mode) = (.raw, .file)
      }
      guard case .playing(_, let latency, _) = rig.next("playing") else {
        Issue.record("it never plays")
        return
      }
      #expect(latency < 2.5, "less than the wait of three seconds")
      #expect(rig.playOut(within: 10))
      // The radio may recognise the file only during playback.
      #expect(rig.names.filter { $0 != "stationInfo" }.suffix(3) == ["playing", "fileComplete", "stopped"])
      #expect(abs(rig.radio.close().heard - clip.duration) < 0.001)
      #expect(rig.holdsUnlessLate(difference(rig.pcm, clip.pcm()) == nil))
    }
  }
}
