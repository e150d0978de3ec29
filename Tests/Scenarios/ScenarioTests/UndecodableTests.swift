import Http
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import SeededRandom
import StationSupport
import TestSupport
import Testing
import Units

/// A stream that resembles audio but cannot be decoded is reported as no audio (R1.12).
@Suite struct UndecodableTests {
  /// Valid headers with random content, like encrypted packets.
  private static let scrambled: [UInt8] = {
    var random = SeededGenerator(91)
    return Clip.aac(25).packets.flatMap { $0.bytes.prefix(7) + random.bytes($0.bytes.count - 7) }
  }()

  @Test("Undecodable packets are refused as no audio within 15 s", arguments: ["live", "file"])
  func refused(kind: String) async throws {
    try await Stage.run(speed: 2) {
      let station = try ScriptedStation { _ in
        if kind == "file" { return [.file(Self.scrambled.count, type: "audio/aac"), .send(Self.scrambled)] }
        return [.live(type: "audio/aac"), .pace(Self.scrambled, perSecond: 16_000, burst: 32_000), .stall]
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url("/sound.aac"))
      #expect(rig.playOut(within: 15), "\(rig.names)")
      #expect(rig.events.last?.event == .stopped(.error) && rig.names.contains("badContent"), "\(rig.names)")
      #expect(rig.radio.failure?.cause == .notAudio && rig.radio.status.heard == 0)
      #expect(!rig.names.contains("playing"))
    }
  }

  /// Files without audio. The packets of some end before `UndecodedRun` reports them.
  static let silentFiles: [(name: String, bytes: [UInt8])] = {
    var random = SeededGenerator(92)
    let noise = random.bytes(30_000).map { $0 & 0x7F }
    return [
      ("one second of packets", Array(scrambled.prefix(16_000))),
      ("one packet", Array(scrambled.prefix(Clip.aac(25).packets[0].bytes.count))),
      ("a VBR header", ToneMp3.infoPacket(0, byteCount: 0, delay: 0, padding: 0)),
      ("a tag", FileSoundTests.id3),
      ("noise", noise),
      ("another form", Array("FORM".utf8) + [0, 0, 117, 48] + Array("ILBMBMHD".utf8) + noise),
      ("an Ogg page", OggWriter.page(7, 0, OggWriter.isFirst, granule: 0, [200], Array(noise.prefix(200)))),
    ]
  }()

  @Test(
    "A file without audio is refused with a sentence (R1.12)", arguments: silentFiles.indices,
    ["local", "ranges", "length", "chunked"])
  func deliversNothing(index: Int, source: String) async throws {
    let (name, bytes) = Self.silentFiles[index]
    try await Stage.run(speed: 2) {
      let folder = TemporaryFolder()
      var server = FileServer(bytes)
      server.supportsRanges = source == "ranges"
      let file = server
      let size = String(bytes.count, radix: 16)
      let station = try ScriptedStation { visit in
        guard source == "chunked" else { return file.actions(for: visit) }
        let fields = ["Content-Type: audio/mpeg", "Transfer-Encoding: chunked"]
        return [.head("200 OK", fields), .text("\(size)\r\n"), .send(bytes), .text("\r\n0\r\n\r\n")]
      }
      defer { station.close() }
      let rig = try RadioRig()
      let path = folder.write(bytes, to: "song.mp3")
      rig.tune(source == "local" ? try WebAddress(filePath: path).url.unredacted : station.url("/song.mp3")) {
        $0.mode = .file
      }
      #expect(rig.playOut(within: 15), "\(name): \(rig.names)")
      #expect(rig.events.last?.event == .stopped(.error), "\(name): \(rig.names)")
      #expect(rig.radio.failure?.cause == .notAudio && !rig.names.contains("fileComplete"), "\(name)")
    }
  }

  @Test("One undecodable second at a station's start is skipped")
  func aSecondOfIt() async throws {
    try await Stage.run {
      let head = Array(Self.scrambled.prefix(16_000))
      let station = try ScriptedStation([.live(type: "audio/aac"), .send(head + Clip.aac(20).bytes), .stall])
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.next("playing") != nil)
      #expect(rig.run { rig.radio.status.position > 3 } && !rig.names.contains("badContent"))
    }
  }
}
