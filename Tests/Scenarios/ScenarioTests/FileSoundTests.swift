import Foundation
import Http
import MediaSupport
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// A file's audio plays completely, whatever precedes, follows or interrupts it (R11.2, 1.16, 1.23).
@Suite struct FileSoundTests {
  static let clip = Clip(ToneMp3.frames(400, seed: 21))
  static let pcm = clip.pcm()

  static let id3 = Array("ID3".utf8) + [4, 0, 0, 0x02, 0x31, 0x16, 0x00] + [UInt8](repeating: 0xFF, count: 4_999_936)

  static let ape = ape(60_000)

  static func ape(_ count: Int) -> [UInt8] {
    func mark(_ flags: UInt8) -> [UInt8] {
      let size: [UInt8] = (0..<4).map { UInt8((count + 32) >> (8 * $0) & 0xFF) }
      let rest: [UInt8] = [1, 0, 0, 0, 0, 0, 0, flags, 0, 0, 0, 0, 0, 0, 0, 0]
      return Array("APETAGEX".utf8) + [0xD0, 0x07, 0, 0] + size + rest
    }
    return mark(0xA0) + [UInt8](repeating: 0xFF, count: count) + mark(0x80)
  }

  static let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0xFF, count: 125)

  private static func tag(pictureFirst: Bool) -> [UInt8] {
    func bytes(_ value: Int, bits: Int) -> [UInt8] {
      [3, 2, 1, 0].map { (place: Int) -> UInt8 in UInt8(value >> (bits * place) & (1 << bits - 1)) }
    }
    func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
      var frame = Array(name.utf8)
      frame += bytes(body.count, bits: 8)
      frame += [0, 0]
      return frame + body
    }
    func text(_ name: String, _ text: String) -> [UInt8] { frame(name, [3] + text.utf8) }
    let picture = frame("APIC", [UInt8](repeating: 0x41, count: 20_000))
    let texts = text("TIT2", "Song") + text("TPE1", "Band")
    let content = pictureFirst ? picture + texts : texts + picture
    let head: [UInt8] = Array("ID3".utf8) + [3, 0, 0]
    let size = bytes(content.count, bits: 7)
    return head + size + content
  }

  @Test(
    "Title and artist of a tag are emitted from the file's start (R6.7)", arguments: ["HTTP", "local"],
    ["ID3v2", "ID3v1", "start"])
  func title(source: String, kind: String) async throws {
    try await Stage.run {
      let texts = ["Song", "Band"].flatMap { Array($0.utf8) + [UInt8](repeating: 0, count: 30 - $0.utf8.count) }
      let old = Array("TAG".utf8) + texts + [UInt8](repeating: 0, count: 65)
      let isOld = kind == "ID3v1"
      let bytes = isOld ? Self.clip.bytes + old : Self.tag(pictureFirst: kind == "ID3v2") + Self.clip.bytes
      let folder = TemporaryFolder()
      let station = try ScriptedStation(FileServer(bytes))
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      let local = try WebAddress(filePath: folder.write(bytes, to: "a.mp3")).url.unredacted
      rig.tune(source == "HTTP" ? station.url("/a.mp3") : local) {
        $0.start = StreamTime(seconds: kind == "start" ? 4 : 0)
      }
      guard case .metadataChanged(let title, let at) = rig.next("metadataChanged") else {
        Issue.record("no title is told: \(rig.names)")
        return
      }
      #expect((title.text, title.artist, title.track, at) == ("Band - Song", "Band", "Song", 0))
      #expect(rig.radio.status.title?.track == "Song" && rig.radio.status.station == "a.mp3")
      #expect(rig.events("metadataReceived").count == 1)
      guard case .playing(let name, _, _) = rig.events("playing").first else { return }
      #expect(name == "a.mp3")
    }
  }

  private static func file(_ kind: String) -> (bytes: [UInt8], pcm: [UInt8]) {
    let sound = clip.bytes
    return switch kind {
    case "ID3v2 of 5 MB": (id3 + sound, pcm)
    case "APE and ID3v1": (sound + ape + id3v1, pcm)
    case "garbage before": ([UInt8](repeating: 0x55, count: 3_000) + sound, pcm)
    case "torn packet": (sound + sound.prefix(200), pcm)
    case "one packet": (clip.packets[0].bytes, Clip(clip.packets[0].bytes).pcm())
    default: (sound, pcm)
    }
  }

  @Test(
    "Non-audio data is neither played nor counted (R6.7)",
    arguments: ["ID3v2 of 5 MB", "APE and ID3v1", "garbage before", "torn packet", "one packet"], ["HTTP", "local"])
  func onlySound(kind: String, source: String) async throws {
    try await Stage.run {
      let (bytes, expected) = Self.file(kind)
      let folder = TemporaryFolder()
      let station = try ScriptedStation(FileServer(bytes))
      defer { station.close() }
      let local = try WebAddress(filePath: folder.write(bytes, to: "song.mp3")).url.unredacted
      let rig = try RadioRig()
      rig.tune(source == "HTTP" ? station.url("/song.mp3") : local) { $0.addressKind = .raw }
      #expect(rig.playOut())
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"])
      let seconds = Double(expected.count) / 176_400
      if source == "local" { #expect(abs((rig.radio.duration ?? 0) - seconds) < 0.03) }
      _ = rig.radio.close()
      #expect(difference(rig.pcm, expected) == nil)
      // The sound before a long tag shows if other parts follow.
      let maxCount = kind == "APE and ID3v1" ? 2 : 1
      #expect(source == "HTTP" ? (1...maxCount).contains(station.visits.count) : station.visits.isEmpty)
    }
  }

  /// 600 packets with four bit rates after a VBRI header, with one table entry per 15 packets.
  private static func vbri() -> (bytes: [UInt8], sound: Clip) {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(value >> (8 * (count - 1 - $0)) & 255) }
    }
    let sound = Clip([64, 192, 128, 256].flatMap { ToneMp3.frames(150, kilobits: $0, seed: UInt64($0)) })
    var stretches = (0..<40).map { part in sound.packets[15 * part..<15 * part + 15].reduce(0) { $0 + $1.bytes.count } }
    var packet: [UInt8] = [0xFF, 0xFB, 0xE0, 0x04] + [UInt8](repeating: 0, count: 1_040)
    stretches[0] += packet.count
    var fields = Array("VBRI".utf8) + [0, 1, 0, 0, 0, 0]
    fields += number(packet.count + sound.bytes.count, 4) + number(600, 4) + number(40, 2)
    fields += number(1, 2) + number(2, 2) + number(15, 2) + stretches.flatMap { number($0, 2) }
    packet.replaceSubrange(36..<36 + fields.count, with: fields)
    return (packet + sound.bytes, sound)
  }

  @Test("VBRI gives a file's length and its seek positions (R11.2, O1)", arguments: [0.0, 4, 10, 14])
  func fraunhofer(start: Double) async throws {
    try await Stage.run {
      let (bytes, sound) = Self.vbri()
      let station = try ScriptedStation(FileServer(bytes))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/long.mp3")) { $0.start = StreamTime(seconds: start) }
      #expect(rig.next("playing") != nil)
      #expect(abs((rig.radio.status.duration ?? 0) - sound.duration) < 0.001)
      #expect(rig.playOut())
      let place = if case .seekDone(let position, _) = rig.events("seekDone").first { position } else { 0.0 }
      #expect(abs(place - start) < 0.01 * sound.duration, "\(place)")
      _ = rig.radio.close()
      let (heard, whole) = (rig.pcm, sound.pcm())
      #expect(difference(heard, Array(whole.suffix(heard.count))) == nil)
      #expect(abs(Double(whole.count - heard.count) / 176_400 - place) < 0.05)
    }
  }

  @Test("A tag of 5 MB is skipped on the way to a start inside the file")
  func jumpsOverTag() async throws {
    try await Stage.run {
      let station = try ScriptedStation(FileServer(Self.id3 + Self.clip.bytes))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.start = StreamTime(seconds: 6) }
      #expect(rig.playOut())
      // The third request reads the last sound: the file could have parts of other rates.
      #expect(station.firstBytes.count == 4)
      #expect(station.firstBytes.prefix(3) == [0, Self.id3.count, Self.id3.count + Self.clip.bytes.count - 8_192])
      _ = rig.radio.close()
      #expect(difference(rig.pcm, Array(Self.pcm.dropFirst(6 * 176_400))) == nil)
    }
  }

  @Test("LAME's padding before and after the audio is inaudible", arguments: [0.0, 0.01, 3, 10.35])
  func gapless(start: Double) async throws {
    try await Stage.run {
      let sound = Self.clip.bytes
      let bytes = ToneMp3.infoPacket(400, byteCount: sound.count, delay: 576, padding: 1_105) + sound
      let station = try ScriptedStation(FileServer(bytes + Self.id3v1))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.start = StreamTime(seconds: start) }
      #expect(rig.playOut())
      let frames = 400 * 1_152 - 576 - 1_105
      #expect(abs((rig.radio.duration ?? 0) - Double(frames) / 44_100) < 1e-6)
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"])
      _ = rig.radio.close()
      let first = 1_105 + Int((start * 44_100).rounded(.up))
      let expected = Self.pcm[(first * 4)..<((1_105 + frames) * 4)]
      #expect(difference(rig.pcm, Array(expected)) == nil)
    }
  }

  @Test("A file without packets is reported, and nothing plays", arguments: ["", "ID3v1"])
  func noSound(kind: String) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let path = folder.write(kind.isEmpty ? [] : Self.id3v1, to: "empty.mp3")
      for start in [0, 5.0] {
        let rig = try RadioRig()
        rig.tune(try WebAddress(filePath: path).url.unredacted) { $0.start = StreamTime(seconds: start) }
        #expect(rig.playOut(within: 45))
        #expect(!rig.names.contains("fileComplete"))
        _ = rig.radio.close()
        #expect(rig.pcm.isEmpty)
      }
    }
  }

  @Test("A growing file plays to its new end")
  func growing() async throws {
    try await Stage.run(speed: 2) {
      let (bytes, folder) = (Self.clip.bytes, TemporaryFolder())
      let path = folder.write(Array(bytes.prefix(100_000)), to: "grows.mp3")
      let rig = try RadioRig(isPaced: true)
      rig.tune(try WebAddress(filePath: path).url.unredacted)
      #expect(rig.next("playing") != nil)
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(bytes[100_000...]))
      try handle.close()
      #expect(rig.playOut())
      _ = rig.radio.close()
      #expect(rig.holdsUnlessLate(difference(rig.pcm, Self.pcm) == nil))
    }
  }

  @Test("A download broken twenty times plays completely, and repeats no byte")
  func breaksTwentyTimes() async throws {
    try await Stage.run(speed: 8) {
      let file = FileServer(Self.clip.bytes)
      let station = try ScriptedStation { visit in
        file.actions(for: visit, most: visit.number < 20 ? 7_001 : .max) + (visit.number < 20 ? [.reset] : [])
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.playOut(within: 120))
      #expect(station.firstBytes.map { $0 ?? 0 } == (0...20).map { $0 * 7_001 })
      _ = rig.radio.close()
      #expect(rig.names.contains("fileComplete"))
      #expect(difference(rig.pcm, Self.pcm) == nil)
    }
  }
}
