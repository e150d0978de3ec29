import Http
import MediaSupport
import RadioEngine
import RadioSupport
import SeededRandom
import StationSupport
import TestSupport
import Testing
import Units

/// Seeks in files: buffered audio is used, the rest is requested from its offset (R3.4, R11, O1 … O3).
@Suite struct FileSeekTests {
  /// Ten minutes of MP3 at 128 kbit/s; all packets differ and decode independently.
  static let long = Clip(ToneMp3.frames(23_000, seed: 5))
  static let longPcm = long.pcm()

  private func sound(from seconds: Double, _ pcm: [UInt8] = longPcm) -> [UInt8] {
    Array(pcm.dropFirst(Int((seconds * 44_100).rounded(.up)) * 4))
  }

  private func path(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> String {
    try WebAddress(filePath: folder.write(bytes, to: "long.mp3")).url.unredacted
  }

  private func playing(_ clip: Clip = long) throws -> (ScriptedStation, RadioRig) {
    let station = try ScriptedStation(FileServer(clip.bytes))
    let rig = try RadioRig(isPaced: true)
    rig.tune(station.url())
    #expect(rig.next("playing") != nil)
    return (station, rig)
  }

  @Test("A start inside a file plays the right sample (O1, O2)", arguments: ["HTTP", "local"])
  func startsAnywhere(kind: String) async throws {
    try await Stage.run {
      let (bytes, folder) = (Self.long.bytes, TemporaryFolder())
      let station = try ScriptedStation(FileServer(bytes))
      defer { station.close() }
      let url = kind == "HTTP" ? station.url("/long.mp3") : try path(bytes, in: folder)
      var random = SeededGenerator(11)
      for _ in 0..<8 {
        let start = Double.random(in: 0..<600, using: &random)
        var settings = RadioSettings.bench
        settings.duration = StreamTime(seconds: 1)
        let rig = try RadioRig(settings)
        rig.tune(url) { $0.start = StreamTime(seconds: start) }
        #expect(rig.playOut())
        guard case .seekDone(let position, let requested) = rig.next("seekDone") else {
          Issue.record("nothing is told of the place")
          return
        }
        #expect(abs(position - start) < 0.001 && abs(requested - start) < 0.001)
        #expect(abs(rig.radio.status.position - start - 1) < 0.3)
        _ = rig.radio.close()
        #expect(difference(rig.pcm, beginningOf: sound(from: start)) == nil, "\(start)")
        #expect(rig.pcm.count > 170_000)
      }
    }
  }

  @Test("A start inside a file costs two small requests and the audio: 96 KB before the first sample (O1)")
  func startReadsLittle() async throws {
    try await Stage.run {
      let station = try ScriptedStation(FileServer(Self.long.bytes))
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url()) { $0.start = StreamTime(seconds: 400) }
      #expect(rig.next("playing") != nil)
      // The last sound shows if the file has parts of other bit rates.
      #expect(station.firstBytes.count == 3 && station.firstBytes.prefix(2) == [0, Self.long.bytes.count - 8_192])
      #expect(station.visits.first?.header("Range") == "bytes=0-8191")
      #expect(station.visits.last?.header("If-Range") == "\"1\"")
      let first = try #require(station.firstBytes.last ?? nil)
      let place = Int(400 * Self.long.byteRate)
      #expect(first < place && first > place - 9_000)
      #expect(2 * 8_192 + rig.radio.status.blocks.byteCount.value + 4_096 < 96 * 1_024)
      #expect(abs((rig.radio.duration ?? 0) - Self.long.duration) < 0.03)
    }
  }

  @Test("A seek in the buffer requests nothing, one beyond it the rest from there (R3.4, E4)")
  func seeksInsideAndOutside() async throws {
    try await Stage.run {
      let (station, rig) = try playing()
      defer { station.close() }
      #expect(rig.radio.isFileSeekAllowed)
      #expect(rig.run { rig.radio.status.position > 1 })
      rig.radio.seek(to: 0.5)
      #expect(rig.next("seekDone") != nil)
      #expect(rig.run { rig.radio.status.position > 0.8 })
      #expect(station.visits.count == 1)
      rig.radio.seek(to: 300)
      #expect(rig.radio.status.position == 300)
      guard case .seekDone(let position, let requested) = rig.next("seekDone") else { return }
      #expect((position, requested) == (300, 300))
      #expect(rig.next("playing") != nil)
      #expect(rig.run { rig.radio.status.position > 300.5 })
      #expect(rig.radio.status.position < 303)
      rig.radio.rewind(by: 200)
      #expect(rig.next("seekDone") != nil)
      #expect(rig.run { rig.radio.status.position > 101 })
      #expect(rig.radio.status.position < 104)
      #expect(station.visits.count == 3)
      _ = rig.radio.close()
    }
  }

  @Test("After a seek beyond the buffer the file plays from there to its end, once")
  func playsFromASeekToTheEnd() async throws {
    try await Stage.run {
      let clip = Self.long.prefix(60)
      let (station, rig) = try playing(clip)
      defer { station.close() }
      rig.radio.seek(to: 58)
      #expect(rig.playOut())
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"])
      #expect(rig.events("stationInfo").count == 1)
      let summary = rig.radio.close()
      let tail = sound(from: 58, clip.pcm())
      #expect(rig.pcm.count > tail.count)
      // The sound fades in within 5 ms.
      let rest = Array(tail.dropFirst(221 * 4))
      #expect(rig.holdsUnlessLate(difference(Array(rig.pcm.suffix(rest.count)), rest) == nil))
      #expect(rig.events("fileComplete") == [.fileComplete(heard: summary.heard)])
    }
  }

  /// 15 s at about half the bit rate, then minutes at the full rate, without a VBR header.
  private static let uneven = Clip(
    (0..<300).flatMap {
      ToneMp3.frames(1, kilobits: 64, seed: 100 + $0) + ToneMp3.frames(1, kilobits: 80, seed: 500 + $0)
    } + ToneMp3.frames(9_000, kilobits: 128, seed: 32))

  @Test("If the head reveals little, some packets elsewhere do (O1)")
  func samples() async throws {
    try await Stage.run {
      let clip = Self.uneven
      let pcm = Sound(clip.pcm())
      let station = try ScriptedStation(FileServer(clip.bytes + [0xFF, 0xFB, 0x00]))
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.duration = StreamTime(seconds: 0.5)
      let rig = try RadioRig(settings)
      rig.tune(station.url()) { $0.start = StreamTime(seconds: 180) }
      #expect(rig.playOut())
      #expect(abs((rig.radio.duration ?? 0) - clip.duration) < clip.duration * 0.04)
      #expect(rig.radio.status.position > 180)
      _ = rig.radio.close()
      // If enough was buffered before the end, the packets before the position were counted, too.
      #expect((5...6).contains(station.visits.count))
      let heard = Sound(Array(rig.pcm.prefix(20_000)))
      let place = try #require(pcm.place(of: heard))
      #expect(abs(place - 180) < clip.duration * 0.04, "\(place)")
    }
  }

  @Test("An improved length is reported again")
  func lengthIsMeasured() async throws {
    try await Stage.run {
      let clip = Self.uneven.prefix(100)
      let station = try ScriptedStation(FileServer(clip.bytes))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      var first: Double?
      #expect(
        rig.run {
          if first == nil { first = rig.radio.duration }
          return rig.radio.state == .stopped
        })
      #expect((first ?? 0) > clip.duration * 1.5)
      #expect(abs((rig.radio.duration ?? 0) - clip.duration) < clip.duration * 0.02)
      _ = rig.radio.close()
    }
  }

  @Test("A server without ranges is read through to the position (O3)")
  func readsThrough() async throws {
    try await Stage.run {
      var file = FileServer(Self.long.prefix(40).bytes)
      file.supportsRanges = false
      let station = try ScriptedStation(file)
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) {
        $0.start = StreamTime(seconds: 30)
        $0.mode = .file
      }
      #expect(rig.playOut())
      #expect(rig.names.contains("fileComplete"))
      #expect(rig.events("readThrough").count == 1)
      #expect(station.visits.count == 1)
      _ = rig.radio.close()
      #expect(difference(rig.pcm, sound(from: 30, Self.long.prefix(40).pcm())) == nil)
    }
  }

  @Test("A seek during a pause waits for its end, and reports the new position")
  func seeksWhilePaused() async throws {
    try await Stage.run {
      let (station, rig) = try playing()
      defer { station.close() }
      rig.radio.pause()
      rig.radio.seek(to: 200)
      #expect(rig.next("seekDone") != nil)
      #expect(rig.radio.state == .paused)
      #expect(rig.radio.status.position == 200)
      let before = rig.pcmCount
      rig.run(for: 0.5)
      #expect(rig.radio.status.position == 200)
      #expect(rig.pcmCount - before < 176_400 / 4)
      rig.radio.resume()
      #expect(rig.next("playing") != nil)
      #expect(rig.run { rig.radio.status.position > 200.5 })
      _ = rig.radio.close()
    }
  }

  @Test("A seek beyond the buffer ignores the rest of the old position")
  func staysOnItsWay() async throws {
    try await Stage.run {
      let (station, rig) = try playing()
      defer { station.close() }
      rig.radio.seek(to: 300)
      #expect(rig.next("seekDone") != nil)
      #expect(rig.next("playing") != nil)
      rig.radio.seek(to: 100)
      rig.radio.goLive()
      #expect(rig.radio.status.position == 100)
      rig.radio.goOldest()
      #expect(rig.radio.status.position == 100)
      #expect(rig.next("seekDone") == .seekDone(position: 100, requested: 100))
      _ = rig.radio.close()
    }
  }

  @Test("A position beyond the end means the end")
  func seeksBeyondTheEnd() async throws {
    try await Stage.run {
      let (station, rig) = try playing()
      defer { station.close() }
      rig.radio.seek(to: 10_000)
      #expect(rig.playOut(within: 10))
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"])
      _ = rig.radio.close()
    }
  }

  @Test("The last of a thousand seeks in half a minute wins, and the others leave nothing")
  func seekStorm() async throws {
    try await Stage.run {
      let (station, rig) = try playing()
      defer { station.close() }
      // A seek cancels the request for the file's tail; a later one replaces it.
      #expect(rig.run { station.tailVisits.count == 1 })
      var random = SeededGenerator(3)
      let began = rig.radio.time
      for number in 0..<1_000 {
        rig.radio.seek(to: Double.random(in: 0..<590, using: &random))
        rig.radio.step(Duration(milliseconds: Int64.random(in: 0...20, using: &random)))
        // At times waits for playback, so that audio from an old position could play.
        if number % 100 == 99 {
          let goal = rig.radio.status.position
          #expect(rig.next("playing") != nil)
          #expect(rig.run { rig.radio.status.position > goal })
          #expect(rig.radio.status.position < goal + 2)
        }
      }
      rig.radio.seek(to: 250)
      #expect(rig.radio.status.position == 250)
      #expect(rig.holdsUnlessLate(rig.radio.time - began < 30))
      #expect(rig.run { rig.radio.status.position > 252 })
      #expect(rig.radio.status.position < 254)
      #expect(rig.run { station.connectionCount <= 1 })
      #expect(station.visits.count <= 1_003)
      #expect(rig.holdsUnlessLate(station.tailVisits.count == 1, or: station.maxThreadDelay > 0.01))
      let pcm = rig.pcm
      let summary = rig.radio.close()
      #expect(summary.reconnects == 0)
      let (heard, file) = (Sound(pcm).frames, Sound(sound(from: 250)))
      let place = file.place(of: Sound(heard.suffix(11_025).withUnsafeBytes { Array($0) })) ?? 0
      let count = Int((place * 44_100).rounded()) + 11_025
      #expect(rig.holdsUnlessLate(place > 1 && place < 5))
      #expect(rig.holdsUnlessLate(heard.suffix(count - 500).elementsEqual(file.frames[500..<count])))
    }
  }
}
