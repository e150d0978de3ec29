import Http
import MediaSupport
import RadioEngine
import RadioSupport
import SeededRandom
import StationSupport
import TestSupport
import Testing
import Units

/// Measures the accuracy of start positions and reported positions (O1, O2).
@Suite struct FilePlaceTests {
  @Test("CBR seeks are right within one frame, with the right audio, at 200 positions (O2)", arguments: 0..<8)
  func constant(part: Int) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let station = try ScriptedStation(FileServer(FileSeekTests.long.bytes))
      defer { station.close() }
      let local = try WebAddress(filePath: folder.write(FileSeekTests.long.bytes, to: "long.mp3")).url.unredacted
      var random = SeededGenerator(UInt64(200 + part))
      for number in 0..<25 {
        let start = Double.random(in: 0..<600, using: &random)
        let rig = try play(number % 5 == 0 ? local : station.url("/long.mp3"), from: start, for: 0.1)
        let first = Int((start * 44_100).rounded(.up)) * 4
        #expect(difference(rig.pcm, beginningOf: Array(FileSeekTests.longPcm[first...])) == nil, "\(start)")
        #expect(rig.pcm.count >= 17_000)
        #expect(abs(rig.radio.status.position - start - 0.1) < 0.03)
      }
    }
  }

  private func play(_ url: String, from start: Double, for seconds: Double) throws -> RadioRig {
    var settings = RadioSettings.bench
    settings.duration = StreamTime(seconds: seconds)
    let rig = try RadioRig(settings)
    rig.tune(url) { $0.start = StreamTime(seconds: start) }
    #expect(rig.playOut(), "\(start)")
    return rig
  }

  /// Six minutes of VBR between 64 and 224 kbit/s; the bit rate changes by song and by packet.
  private static let varying: (bytes: [UInt8], pcm: Sound, seconds: Double) = {
    var random = SeededGenerator(81)
    let rates = [64, 80, 96, 112, 128, 160, 192, 224]
    var packets: [[UInt8]] = []
    for song in 0..<9 {
      let middle = [3, 4, 2, 5, 4, 6, 1, 4, 5][song]
      for index in 0..<1_550 {
        let rate = rates[max(0, min(7, middle + Int.random(in: -1...1, using: &random)))]
        packets.append(ToneMp3.frames(1, kilobits: rate, seed: UInt64(song * 10_000 + index)))
      }
    }
    let sound = packets.flatMap { $0 }
    var (ends, end) = ([0], 0)
    for packet in packets {
      end += packet.count
      ends.append(end)
    }
    // Rounded down, as LAME and libavformat do.
    let table = (0..<100).map { UInt8(256 * ends[$0 * packets.count / 100] / sound.count) }
    let figures = ToneMp3.infoPacket(packets.count, byteCount: sound.count, delay: 576, padding: 1_105, table: table)
    let seconds = Double(packets.count * 1_152 - 1_681) / 44_100
    return (figures + sound, Sound(Clip(sound).pcm()), seconds)
  }()

  /// Position of the recorded audio in the file, in seconds.
  private func place(_ rig: RadioRig) -> Double? {
    Self.varying.pcm.place(of: Sound(Array(rig.pcm.prefix(20_000)))).map { $0 - 1_105 / 44_100.0 }
  }

  @Test("VBR seeks with a table are right within 1 % of the length, and so is the report (O2)")
  func table() async throws {
    try await Stage.run {
      let (bytes, _, length) = Self.varying
      let station = try ScriptedStation(FileServer(bytes))
      defer { station.close() }
      var random = SeededGenerator(82)
      var misses: [Double] = []
      for _ in 0..<40 {
        let start = Double.random(in: 0..<length - 2, using: &random)
        let rig = try play(station.url(), from: start, for: 1)
        #expect(abs((rig.radio.duration ?? 0) - length) < 1e-6)
        let place = try #require(self.place(rig))
        #expect(abs(place - start) < length / 100, "\(start): \(place)")
        misses.append(abs(rig.radio.status.position - place - 1))
      }
      misses.sort()
      print("figure  VBR by table  \(length) s: told off by \(misses[20]) s (median), \(misses[39]) s (most)")
      #expect(misses[20] < length * 0.003)
    }
  }

  @Test("Local VBR files are counted: every position is reported to the sample")
  func countedLocally() async throws {
    try await Stage.run {
      let (bytes, pcm, length) = Self.varying
      let folder = TemporaryFolder()
      let local = try WebAddress(filePath: folder.write(bytes, to: "varies.mp3")).url.unredacted
      var random = SeededGenerator(83)
      for _ in 0..<12 {
        let start = Double.random(in: 0..<length - 2, using: &random)
        let rig = try play(local, from: start, for: 1)
        let first = Int((start * 44_100).rounded(.up)) + 1_105
        #expect(Sound(rig.pcm).frames.elementsEqual(pcm.frames[first..<first + 44_100]), "\(start)")
        #expect(abs(rig.radio.status.position - start - 1) < 0.03)
      }
    }
  }

  @Test("VBR by HTTP is reported to the sample if the position was played or read before")
  func countedWhereHeard() async throws {
    try await Stage.run(speed: 8) {
      let (bytes, pcm, _) = Self.varying
      let station = try ScriptedStation(FileServer(bytes))
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("playing") != nil)
      #expect(rig.run(60) { rig.radio.status.position > 40 })
      rig.radio.seek(to: 300)
      #expect(rig.next("seekDone") != nil)
      #expect(rig.run { rig.radio.status.position > 301 })
      rig.radio.seek(to: 35.5)
      #expect(rig.next("seekDone") != nil)
      #expect(rig.run { rig.radio.status.position > 37 })
      let (position, count) = (rig.radio.status.position, rig.pcmCount)
      _ = rig.radio.close()
      let heard = Sound(Array(rig.pcm.prefix(count / 4 * 4).suffix(20_000)))
      let place = try #require(pcm.place(of: heard)) + 5_000 / 44_100.0 - 1_105 / 44_100.0
      #expect(rig.holdsUnlessLate(abs(place - position) < 0.35), "\(place) is told as \(position)")
    }
  }

  @Test("VBR by HTTP is reported to 0.1 s after a second of listening, from any start (O3)")
  func countedBeside() async throws {
    try await Stage.run {
      let (bytes, pcm, length) = Self.varying
      let station = try ScriptedStation(FileServer(bytes))
      defer { station.close() }
      var random = SeededGenerator(86)
      for number in 0..<6 {
        let start = Double.random(in: 10..<length - 20, using: &random)
        let rig = try RadioRig(isPaced: true, bufferMilliseconds: 40)
        if number % 2 == 0 {
          rig.tune(station.url()) { $0.start = StreamTime(seconds: start) }
        } else {
          rig.tune(station.url())
          #expect(rig.next("playing") != nil)
          rig.radio.seek(to: start)
          #expect(rig.next("seekDone") != nil)
        }
        #expect(rig.run { rig.radio.status.position > start - 4 && rig.radio.status.heard > 1.5 })
        let (position, count) = (rig.radio.status.position, rig.pcmCount)
        _ = rig.radio.close()
        let heard = Sound(Array(rig.pcm.prefix(count / 4 * 4).suffix(20_000)))
        let place = try #require(pcm.place(of: heard)) + 5_000 / 44_100.0 - 1_105 / 44_100.0
        #expect(rig.holdsUnlessLate(abs(place - 0.04 - position) < 0.1), "\(start): \(place) is told as \(position)")
      }
    }
  }

  @Test("After a start by a table the file plays to its last sample")
  func endIsWhole() async throws {
    try await Stage.run {
      let (bytes, pcm, length) = Self.varying
      let station = try ScriptedStation(FileServer(bytes))
      defer { station.close() }
      for start in stride(from: length - 40, to: length - 5, by: 5) {
        let rig = try RadioRig()
        rig.tune(station.url()) { $0.start = StreamTime(seconds: start) }
        #expect(rig.playOut())
        #expect(rig.names.suffix(2) == ["fileComplete", "stopped"])
        _ = rig.radio.close()
        let heard = Sound(rig.pcm).frames
        let last = Array(pcm.frames.dropLast(1_105 - 529).suffix(88_200))
        let place = Sound(rig.pcm).place(of: Sound(last.withUnsafeBytes { Array($0) }))
        #expect(place != nil && heard.count > 88_200, "from \(start)")
      }
    }
  }

  @Test("AAC seeks are right within 2 % of the length, and so is the report", arguments: ["HTTP", "local"])
  func aac(source: String) async throws {
    try await Stage.run {
      let bytes = (0..<5).flatMap { _ in Repository.bytes("config/demo/bakelite-demo.aac") }
      let clip = Clip(bytes)
      let folder = TemporaryFolder()
      let station = try ScriptedStation(FileServer(bytes))
      defer { station.close() }
      let local = try WebAddress(filePath: folder.write(bytes, to: "long.aac")).url.unredacted
      var random = SeededGenerator(84)
      var most = 0.0
      for _ in 0..<20 {
        let start = Double.random(in: 0..<clip.duration - 2, using: &random)
        let rig = try play(source == "HTTP" ? station.url("/long.aac") : local, from: start, for: 1)
        let (status, length) = (rig.radio.status, rig.radio.duration ?? 0)
        #expect(abs(length - clip.duration) < clip.duration * 0.03, "\(length)")
        let before = clip.packets.prefix { $0.info.byteOffset < status.byteOffset }
        let place = before.reduce(StreamTime.zero) { $0 + $1.info.duration }.seconds
        most = max(most, abs(place - start - 1))
        #expect(abs(place - start - 1) < (source == "HTTP" ? clip.duration / 50 : 0.05), "\(start): \(place)")
        // The position comes from the table, or from counting if that finished within the second.
        #expect(min(abs(status.position - start - 1), abs(status.position - place)) < 0.05)
      }
      print("figure  AAC, \(source)  \(clip.duration) s: off by \(most) s at most")
    }
  }

  @Test("96 KB are read before the first sample at 128 kbit/s, at any position (O1)")
  func readsLittle() async throws {
    try await Stage.run {
      var random = SeededGenerator(85)
      for number in 0..<20 {
        let station = try ScriptedStation(FileServer(FileSeekTests.long.bytes))
        defer { station.close() }
        let start = number == 0 ? 0.2 : number == 1 ? 595 : Double.random(in: 0..<590, using: &random)
        let rig = try RadioRig(isPaced: true)
        var (most, read) = (0, 0)
        let keep = rig.radio.onEvent
        rig.radio.onEvent = { [unowned rig] event, time in
          keep(event, time)
          guard event.name == "playing" else { return }
          most = station.deliveredByteCount
          read = 8_192 + 512 + rig.radio.status.blocks.byteCount.value + 4_096
        }
        rig.tune(station.url()) { $0.start = StreamTime(seconds: start) }
        #expect(rig.next("playing") != nil)
        // The first part, the tail, the packets and the rest of a read; the kernel may buffer more.
        #expect(read > 12_800 && read <= 96 * 1_024, "\(read) from \(start)")
        #expect(most > 0 && most <= (96 + 32) * 1_024, "\(most) from \(start)")
      }
    }
  }
}
