import Blocks
import Foundation
import Station
import Testing
import Units

@Suite("Mounts and titles")
struct MountTests {
  @Test("A mount knows its format, bit rate and length")
  func facts() throws {
    let mp3 = try Mount(name: "a.b.mp3", file: Frames.mp3(125))
    #expect(mp3.format == PacketFormat(codec: .mpegLayer3, sampleRate: SampleRate(48_000), channels: 2))
    #expect(mp3.bitRate.description == "320 kbit/s")
    #expect(mp3.duration == StreamTime(seconds: 3))
    #expect(mp3.stem == "a.b")
    let aac = try Mount(name: ".aac", file: Frames.aac(44_100, rateIndex: 4, byteCount: 10))
    #expect(aac.format == PacketFormat(codec: .aac, sampleRate: .cd, channels: 2, profile: 1))
    #expect(aac.duration == StreamTime(seconds: 1024))
    #expect(aac.stem == ".aac")
  }

  @Test(
    "Headers of other rates and layers are read",
    arguments: [
      ([0xFF, 0xFD, 0xA4, 0x00], 576, Codec.mpegLayer2, 48_000, 2),
      ([0xFF, 0xF3, 0x84, 0xC0], 192, .mpegLayer3, 24_000, 1),
      ([0xFF, 0xE3, 0x88, 0xC0], 576, .mpegLayer3, 8_000, 1), ([0xFF, 0xFF, 0x44, 0x00], 128, .mpegLayer1, 48_000, 2),
    ] as [([UInt8], Int, Codec, Int32, UInt8)])
  func headers(header: [UInt8], length: Int, codec: Codec, rate: Int32, channels: UInt8) throws {
    let frame = header + [UInt8](repeating: 0x55, count: length - 4)
    let mount = try Mount(name: "a", file: frame + frame + frame)
    #expect(mount.format == PacketFormat(codec: codec, sampleRate: SampleRate(rate), channels: channels))
    let samples = codec == .mpegLayer2 ? 1152 : codec == .mpegLayer1 ? 384 : 576
    #expect(mount.duration == StreamTime(frames: FrameCount(3 * samples), at: SampleRate(rate)))
  }

  @Test(
    "A file without audio is not a mount",
    arguments: [
      [], [0xFF], Array("ID3".utf8), Array("ID3\u{4}\0\0\u{7F}\u{7F}\u{7F}\u{7F}".utf8), Frames.mp3(1).dropLast(),
      [UInt8](repeating: 0xFF, count: 5000), [UInt8](repeating: 0, count: 5000), Frames.info("Xing"),
    ] as [[UInt8]])
  func noAudio(bytes: [UInt8]) {
    #expect(throws: StationError.noAudio(path: "a.mp3")) { try Mount(name: "a.mp3", file: bytes) }
  }

  @Test("A folder stands for its audio files, sorted")
  func folder() throws {
    try withFolder { folder in
      for name in ["b.MP3", "a.aac", "notes.txt", ".hidden.mp3", "c.mp3"] {
        try Data(name.hasSuffix("aac") ? Frames.fastAAC(2) : Frames.mp3(2)).write(to: folder.appending(path: name))
      }
      #expect(try Mount.all(at: [folder.path]).map(\.name) == ["a.aac", "b.MP3", "c.mp3"])
      #expect(try Mount.all(at: [folder.path + "/c.mp3"]).map(\.name) == ["c.mp3"])
      let twice = try Mount.all(at: [folder.path, folder.path])
      #expect(throws: StationError.duplicateMount(name: "a.aac")) { try StationServer(mounts: twice) }
    }
  }

  @Test("An unplayable file is named")
  func unplayable() throws {
    try withFolder { folder in
      let (path, text, device) = (folder.path, folder.path + "/a.mp3", "/dev/null")
      #expect(throws: StationError.noMounts) { try Mount.all(at: [path]) }
      #expect(throws: StationError.unreadable(path: text, reason: "No such file or directory")) {
        try Mount.all(at: [text])
      }
      try Data("no audio".utf8).write(to: folder.appending(path: "a.mp3"))
      #expect(throws: StationError.noAudio(path: text)) { try Mount.all(at: [path]) }
      #expect(throws: StationError.unreadable(path: device, reason: "it is not a regular file")) {
        try Mount.all(at: [device])
      }
      #expect(throws: StationError.tooLarge(path: text)) { try FileBytes.read(text, limit: 7) }
    }
  }

  @Test("A title list is read leniently, in order of time")
  func titleList() throws {
    let text = "\u{FEFF}# movements\r\n17.5\tBakelite Trio - Waltz\r\n\n0 Warm-up \u{1B}[31m\n  \n33   Lullaby"
    let cues = try TitleCue.list(text, path: "titles.txt")
    #expect(
      cues == [
        TitleCue(at: .zero, title: "Warm-up [31m"),
        TitleCue(at: StreamTime(seconds: 17.5), title: "Bakelite Trio - Waltz"),
        TitleCue(at: StreamTime(seconds: 33), title: "Lullaby"),
      ])
  }

  @Test(
    "An invalid line of titles is named", arguments: ["title", "x title", "-1 title", "nan title", "inf title", "7"])
  func badTitle(line: String) {
    #expect(throws: StationError.badTitleLine(path: "t", line: 2)) { try TitleCue.list("0 a\n\(line)\n", path: "t") }
  }

  @Test("A station needs a mount, a free port and a local address")
  func refused() throws {
    #expect(throws: StationError.noMounts) { try StationServer(mounts: []) }
    let mounts = [try Mount(name: "a.mp3", file: Frames.mp3(2))]
    let first = try StationServer(mounts: mounts)
    #expect(first.url(of: mounts[0]) == "http://127.0.0.1:\(first.port)/a.mp3")
    var options = StationOptions()
    options.port = first.port
    let taken = StationError.cannotListen(address: "127.0.0.1", port: first.port, reason: "Address already in use")
    #expect(throws: taken) { try StationServer(mounts: mounts, options: options) }
    options.address = "example.com"
    #expect(throws: StationError.self) { try StationServer(mounts: mounts, options: options) }
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "station-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
