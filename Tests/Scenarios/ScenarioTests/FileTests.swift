import Http
import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct FileTests {
  @Test("An empty local file is refused at once")
  func emptyFile() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let rig = try RadioRig()
      rig.tune(try WebAddress(filePath: folder.write([], to: "empty.mp3")).url.unredacted)
      #expect(rig.playOut())
      #expect(rig.events("reconnecting").isEmpty && rig.radio.fault?.cause == .notAudio)
    }
  }

  @Test("A file by HTTP plays to its last sample, and is complete only then (R11.2)")
  func playsWebFile() async throws {
    try await Stage.run {
      let clip = Clip.mp3(6)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/song.mp3"))
      #expect(rig.playOut())
      #expect(rig.names == ["connecting", "buffering", "stationInfo", "playing", "fileComplete", "stopped"])
      guard case .fileComplete(let heard) = rig.next("fileComplete") else { return }
      #expect(abs(heard - clip.duration) < 0.001)
      #expect(rig.events.last?.event == .stopped(.end))
      let summary = rig.radio.close()
      #expect(abs(summary.heard - clip.duration) < 0.001)
      #expect(summary.bytes == clip.bytes.count)
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A local file plays to its last sample (R11.1)", arguments: ["MP3", "AAC"])
  func playsLocalFile(codec: String) async throws {
    try await Stage.run {
      let clip = codec == "MP3" ? Clip.mp3(5) : Clip.aac(5)
      let folder = TemporaryFolder()
      let path = folder.write(clip.bytes, to: "süß #1.audio")
      let rig = try RadioRig()
      rig.tune(try WebAddress(filePath: path).url.unredacted)
      #expect(rig.playOut())
      guard case .stationInfo(let info) = rig.next("stationInfo") else {
        Issue.record("nothing is told about the file")
        return
      }
      #expect((info.codec, info.sampleRate, info.channels, info.facts.isLive) == (codec, 44_100, 2, false))
      #expect(rig.names.contains("fileComplete"))
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test(
    "A file with ranges is seekable everywhere, another one within the buffer (R3.2, R11.2)",
    arguments: [true, false])
  func permissions(supportsRanges: Bool) async throws {
    try await Stage.run {
      var file = FileServer(Clip.long(60).bytes)
      file.supportsRanges = supportsRanges
      let station = try ScriptedStation(file)
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/song.mp3")) { $0.mode = .file }
      try #require(rig.next("playing") != nil)
      #expect(rig.run(5) { rig.radio.status.position > 0.5 })
      #expect(rig.radio.isFileSeekAllowed == supportsRanges && rig.radio.status.isFileSeekAllowed == supportsRanges)
      #expect(rig.radio.isFastForwardAllowed(50) == supportsRanges && rig.radio.isFastForwardAllowed(1))
      #expect(!rig.radio.isFastForwardAllowed(70) && !rig.radio.isRewindAllowed(30))
      guard supportsRanges else { return }
      rig.radio.seek(to: 40)
      #expect(rig.next("seekDone") != nil && rig.run(5) { rig.radio.isRewindAllowed(35) })
      #expect(!rig.radio.isRewindAllowed(45) && rig.radio.isFastForwardAllowed(15))
    }
  }

  @Test("A request with a start position is treated as a file, even without ranges")
  func startOfWhole() async throws {
    try await Stage.run {
      let clip = Clip.mp3(12)
      var file = FileServer(clip.bytes)
      file.supportsRanges = false
      let station = try ScriptedStation(file)
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/song.mp3")) { $0.start = StreamTime(seconds: 5) }
      #expect(rig.playOut() && rig.names.contains("fileComplete"), "\(rig.names)")
      #expect(abs(rig.radio.close().heard - clip.duration + 5) < 0.05)
    }
  }

  @Test(
    "A container in fragments is read from its beginning to any position",
    arguments: [SegmentPackaging.transport, .latm], ["HTTP", "local"])
  func containers(form: SegmentPackaging, source: String) async throws {
    try await Stage.run {
      let clip = Clip.aac(30)
      let bytes = form.pack([clip.packets]).segments.flatMap { $0 }
      let station = try ScriptedStation(FileServer(bytes, type: "application/octet-stream"))
      defer { station.close() }
      let folder = TemporaryFolder()
      let local = try WebAddress(filePath: folder.write(bytes, to: "film")).url.unredacted
      let rig = try RadioRig()
      rig.tune(source == "local" ? local : station.url("/film")) { $0.start = StreamTime(seconds: 10) }
      #expect(rig.playOut(), "\(rig.names)")
      guard case .stationInfo(let info) = rig.next("stationInfo") else {
        Issue.record("nothing is told about the file: \(rig.names)")
        return
      }
      #expect(!info.facts.isSeekable && info.facts.container != .packed)
      let summary = rig.radio.close()
      #expect(abs(summary.heard - clip.duration + 10) < 0.001)
      // A server without ranges plays the packets the same.
      var file = FileServer(clip.bytes)
      file.supportsRanges = false
      let other = try ScriptedStation(file)
      defer { other.close() }
      let plain = try RadioRig()
      plain.tune(other.url("/song.aac")) { ($0.start, $0.mode) = (StreamTime(seconds: 10), .file) }
      #expect(plain.playOut())
      _ = plain.radio.close()
      #expect(difference(rig.pcm, plain.pcm) == nil)
    }
  }

  @Test("A file in real time is complete after its audio, not after its download (A2)")
  func completesAfterTheSound() async throws {
    try await Stage.run {
      let clip = Clip.mp3(1.5)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.playOut())
      let (start, end) = try (#require(rig.time(of: "playing")), #require(rig.time(of: "fileComplete")))
      #expect(end - start > clip.duration - 0.3)
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A file shorter than the wait plays completely (R2.2, old bug 1.23)", arguments: [1, 2, 20])
  func shorterThanTheWait(packets: Int) async throws {
    try await Stage.run {
      let clip = Clip.mp3(2).prefix(packets: packets)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.addressKind = .raw }
      #expect(rig.playOut(within: 5))
      #expect(rig.names.suffix(3) == ["playing", "fileComplete", "stopped"])
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A duration limit ends playback exactly, and a cut file is not complete")
  func stopsAfterDuration() async throws {
    try await Stage.run {
      let clip = Clip.mp3(5)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.duration = StreamTime(seconds: 1.5)
      let rig = try RadioRig(settings)
      rig.tune(station.url())
      #expect(rig.playOut())
      #expect(rig.events.last?.event == .stopped(.end))
      #expect(!rig.names.contains("fileComplete"))
      _ = rig.radio.close()
      #expect(difference(rig.pcm, Array(clip.pcm().prefix(66_150 * 4))) == nil)
    }
  }

  @Test("Undecodable packets end in silence instead of waiting for ever")
  func endsWithoutSound() async throws {
    try await Stage.run {
      // Valid headers; the rest of each packet promises more bits than present.
      let frames = (0..<60).flatMap { _ in [0xFF, 0xFB, 0x90, 0x04] + [UInt8](repeating: 0x7E, count: 413) }
      let station = try ScriptedStation([.file(frames.count), .send(frames)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.playOut(within: 6))
      _ = rig.radio.close()
      #expect(rig.pcm.isEmpty)
    }
  }

  @Test("Consecutive files join without a sample between them")
  func playsInARow() async throws {
    try await Stage.run {
      let clips = [Clip.mp3(2), Clip.aac(2), Clip.mp3(2, from: 100)]
      let station = try ScriptedStation { visit in
        let clip = clips[visit.number]
        return [.file(clip.bytes.count), .send(clip.bytes)]
      }
      defer { station.close() }
      let rig = try RadioRig()
      for _ in clips {
        rig.tune(station.url())
        #expect(rig.playOut())
      }
      #expect(rig.events("fileComplete").count == 3)
      let summary = rig.radio.close()
      let pcm = clips.flatMap { $0.pcm() }
      #expect(difference(rig.pcm, pcm) == nil)
      // The decoder outputs nothing for the first AAC packet.
      #expect(abs(summary.heard - Double(pcm.count) / 176_400) < 0.001)
    }
  }

  @Test("The end is noticed when it arrives, however rarely the radio is polled", arguments: [1.2, 1.35, 1.5, 1.65])
  func endsOnTime(seconds: Double) async throws {
    try await Stage.run {
      let clip = Clip.mp3(seconds)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      while rig.radio.state != .stopped, rig.radio.time < 10 { rig.radio.step(Duration(milliseconds: 1_000)) }
      let (start, end) = (try #require(rig.time(of: "playing")), try #require(rig.time(of: "stopped")))
      #expect(end - start < clip.duration + 0.25)
    }
  }

  @Test("A file whose data stalls resumes at the same byte (E3)")
  func stalledFile() async throws {
    try await Stage.run {
      let clip = Clip.mp3(6)
      let station = try ScriptedStation { visit in
        [.file(clip.bytes.count)] + (visit.number == 0 ? [.send(clip.prefix(4).bytes), .stall] : [.send(clip.bytes)])
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.dataTimeout = Duration(milliseconds: 1_000) }
      #expect(rig.playOut())
      #expect(rig.names.contains("timeoutExceeded") && rig.names.contains("fileComplete"))
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A file whose connection breaks plays the received part, and reports it")
  func brokenFile() async throws {
    try await Stage.run {
      let clip = Clip.mp3(5)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.prefix(4).bytes), .wait(0.1)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.playOut())
      #expect(rig.names.contains("timeoutExceeded"))
      _ = rig.radio.close()
      #expect(difference(rig.pcm, beginningOf: clip.pcm()) == nil)
      #expect(rig.pcm.count >= clip.prefix(3.9).pcm().count)
    }
  }
}
