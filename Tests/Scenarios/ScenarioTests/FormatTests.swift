import MediaSupport
import Network
import RadioEngine
import RadioSupport
import SeededRandom
import StationSupport
import TestSupport
import Testing
import Units

/// A stream continues after a format change (R4.4); a file retains its first format.
@Suite struct FormatTests {
  struct Change: CustomTestStringConvertible {
    var name: String
    var before: Clip
    var after: Clip
    var rate: Double
    var testDescription: String { name }
  }

  static let changes = [
    Change(name: "44.1 to 48 kHz", before: .mp3(2), after: Clip(ToneMp3.frames(80, rate: 48_000)), rate: 48_000),
    Change(
      name: "44.1 to 22.05 kHz", before: .mp3(2), after: Clip(ToneMp3.frames(80, rate: 22_050, kilobits: 64)),
      rate: 22_050),
    Change(name: "stereo to mono", before: .mp3(2), after: Clip(ToneMp3.frames(80, channels: 1)), rate: 44_100),
    Change(name: "MP3 to AAC", before: .mp3(2), after: .aac(2), rate: 44_100),
    Change(name: "AAC to MP3", before: .aac(2), after: .mp3(2), rate: 44_100),
    Change(name: "another bit rate", before: .mp3(2), after: Clip(ToneMp3.frames(80, kilobits: 320)), rate: 44_100),
  ]

  @Test("A format change in the stream plays through (R4.4)", arguments: changes)
  func playsThrough(change: Change) async throws {
    try await Stage.run {
      let whole = Clip(change.before.bytes + change.after.bytes)
      #expect(whole.packets.count == change.before.packets.count + change.after.packets.count)
      let station = try ScriptedStation([.live(), .send(whole.bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut())
      _ = rig.radio.close()
      #expect(rig.events("stationInfo").count == (change.name == "another bit rate" ? 1 : 2))
      if change.rate == 44_100 {
        #expect(difference(rig.pcm, whole.pcm()) == nil)
      } else {
        let before = change.before.pcm().count
        let after = Double(change.after.pcm().count) * 44_100 / change.rate
        #expect(difference(Array(rig.pcm.prefix(before)), change.before.pcm()) == nil)
        #expect(abs(Double(rig.pcm.count - before) - after) < 4 * 500)
        #expect(rig.pcm.dropFirst(before).contains { $0 != 0 && $0 != 0xFF })
      }
    }
  }

  @Test(
    "Every kind of MPEG audio plays live, and a file's figures in it do not end it (R1.1, A3)",
    arguments: [
      "cbr-44100.mp3", "vbr-44100.mp3", "mono-44100.mp3", "crc-48000.mp3", "free-44100.mp3", "cbr-22050.mp3",
      "cbr-8000.mp3", "layer2-44100.mp2", "layer1-44100.mp1", "figures",
    ])
  func mpeg(name: String) async throws {
    // The header describes a file of 20 packets.
    let bytes =
      name == "figures"
      ? ToneMp3.infoPacket(20, byteCount: 20 * 418, delay: 576, padding: 1_105) + ToneMp3.frames(150)
      : Repository.bytes("Tests/Support/Fixtures/\(name)")
    try await Self.playsLive(bytes, channels: name == "mono-44100.mp3" || name == "cbr-8000.mp3" ? 1 : 2)
  }

  @Test(
    "Every kind of AAC plays live, with its decoder's rate and channels (R1.2)",
    arguments: [
      "lc-44100.aac", "lc-mono-16000.aac", "lc-crc-48000.aac", "he-44100.aac", "he-mono-44100.aac", "he2-44100.aac",
      "tour-5.1.aac",
    ])
  func aac(name: String) async throws {
    try await Self.playsLive(
      Repository.bytes("Tests/Support/Fixtures/\(name)"), channels: name.contains("mono") ? 1 : 2, type: "audio/aac")
  }

  /// Plays a live stream. The sink uses the rate and channels of the first PCM, so no conversion occurs.
  private static func playsLive(
    _ bytes: [UInt8], channels: Int, type: String = "audio/mpeg"
  ) async throws {
    try await Stage.run {
      let station = try ScriptedStation([.live(type: type), .send(bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut())
      _ = rig.radio.close()
      #expect(!rig.names.contains("fileComplete"))
      // The header's packet is silence, or is not decoded.
      let (heard, whole) = (rig.pcm, Clip(bytes).pcm(channels: channels))
      #expect(!whole.isEmpty && abs(heard.count - whole.count) <= 1_152 * 4)
      let count = min(heard.count, whole.count)
      #expect(difference(Array(heard.suffix(count)), Array(whole.suffix(count))) == nil)
    }
  }

  @Test("A mono output mixes both channels (D15)", arguments: ["MP3", "AAC"])
  func oneSpeaker(kind: String) async throws {
    try await Stage.run {
      let clip = kind == "AAC" ? Clip.aac(2) : Clip.mp3(2)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.isMono = true
      let rig = try RadioRig(settings)
      rig.tune(station.url())
      #expect(rig.playOut())
      _ = rig.radio.close()
      let stereo = clip.pcm().withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
      let means = stride(from: 0, to: stereo.count, by: 2).flatMap { frame -> [Int16] in
        let mean = Int16((Int(stereo[frame]) + Int(stereo[frame + 1]) + 1) >> 1)
        return [mean, mean]
      }
      #expect(rig.pcm.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } == means)
      if kind == "MP3" { #expect(means != stereo, "the channels differ") }
    }
  }

  @Test("libmpg123, if selected, gives equal audio except rounding (C5)")
  func secondMp3Decoder() async throws {
    try await Stage.run {
      let bytes = Repository.bytes("Tests/Support/Fixtures/cbr-44100.mp3")
      let station = try ScriptedStation([.file(bytes.count), .send(bytes)])
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.mp3Decoder = .mpg123
      let rig = try RadioRig(settings)
      rig.tune(station.url())
      #expect(rig.playOut())
      _ = rig.radio.close()
      let (heard, truth) = (rig.pcm, Clip(bytes).pcm())
      let samples = [heard, truth].map { $0.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } }
      #expect(heard.count == truth.count && heard != truth)
      #expect(zip(samples[0], samples[1]).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }
  }

  @Test("A forced format is the output format", arguments: ["s16le/44100/1", "s24le/44100/2", "s32le/48000/2"])
  func forced(format: String) async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig(format: format)
      rig.tune(station.url())
      #expect(rig.playOut())
      _ = rig.radio.close()
      let frames = clip.pcm().count / 4
      switch format {
      case "s16le/44100/1": #expect(difference(rig.pcm, clip.pcm(channels: 1)) == nil)
      case "s24le/44100/2": #expect(rig.pcm.count == frames * 6)
      default: #expect(abs(rig.pcm.count / 8 - frames * 48_000 / 44_100) < 500)
      }
    }
  }

  @Test("A programme with another rate retains its duration", arguments: ["s16le/48000/2", "s16le/32000/2"])
  func length(format: String) async throws {
    try await Stage.run {
      let clip = Clip.mp3(2)
      let station = try ScriptedStation([.file(clip.bytes.count), .send(clip.bytes)])
      defer { station.close() }
      let rig = try RadioRig(format: format)
      rig.tune(station.url())
      #expect(rig.playOut())
      #expect(abs(rig.radio.close().heard - clip.duration) < 0.002)
    }
  }

  @Test(
    "The slowest stream is converted for the fastest sink, in any number of periods", arguments: [false, true])
  func slowestToFastest(isPaced: Bool) async throws {
    try await Stage.run {
      // One packet becomes 22 periods, most of the ring's capacity.
      let frames = SilentAac.frames(24, rateIndex: 11)
      let station = try ScriptedStation([.file(frames.count, type: "audio/aac"), .send(frames)])
      defer { station.close() }
      let rig = try RadioRig(isPaced: isPaced, format: "s16le/192000/2")
      rig.tune(station.url())
      #expect(rig.playOut())
      #expect(rig.names.contains("fileComplete"))
      _ = rig.radio.close()
      // The decoder outputs nothing for the first packet.
      let surplus = rig.pcm.count / 4 - 23 * 1_024 * 24
      // On a busy machine the ring of 0.2 s underruns and adds silence.
      #expect(surplus > -1_000 && (isPaced || surplus < 1_000))
    }
  }

  @Test("Damage is skipped, and the output is never louder than the programme (R4.5)")
  func damage() async throws {
    try await Stage.run {
      let clip = Clip.mp3(4)
      var (bytes, random) = (clip.bytes, SeededGenerator(11))
      for _ in 0..<12 {
        let place = Int(random.next() % UInt64(bytes.count - 2_000))
        switch random.next() % 3 {
        case 0: bytes.removeSubrange(place..<place + Int(random.next() % 1_500))
        case 1: bytes.insert(contentsOf: random.bytes(700), at: place)
        default: for offset in 0..<200 { bytes[place + offset] = UInt8(truncatingIfNeeded: random.next()) }
        }
      }
      let station = try ScriptedStation([.live(), .send(bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut())
      _ = rig.radio.close()
      #expect(rig.pcm.count > clip.pcm().count * 3 / 4)
    }
  }
}
