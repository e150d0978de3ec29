import Foundation
import Http
import MediaSupport
import RadioEngine
import RadioSupport
import SeededRandom
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct FileEndTests {
  private static let clip = Clip(ToneMp3.frames(150, seed: 71))

  /// A file, its PCM, and the initially available bytes.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var pcm: [UInt8]
    /// Bytes available when playback starts; nil for the whole file.
    var first: Int?

    init(_ name: String, _ bytes: [UInt8], _ pcm: [UInt8], first: Int? = nil) {
      (testDescription, self.bytes, self.pcm, self.first) = (name, bytes, pcm, first)
    }
  }

  static let rows: [Row] = {
    // Longer than the read-ahead.
    let long = Clip(ToneMp3.frames(400, seed: 73))
    let (sound, pcm) = (clip.bytes, clip.pcm())
    var random = SeededGenerator(72)
    let noise = random.bytes(40_000).map { $0 & 0x7F }
    let footer = Array(FileSoundTests.ape.suffix(60_032))
    let figures = ToneMp3.infoPacket(150, byteCount: sound.count, delay: 576, padding: 1_105)
    let exact = Array(pcm[(1_105 * 4)..<((1_105 + 150 * 1_152 - 576 - 1_105) * 4)])
    let id3 = FileSoundTests.id3
    func cut(_ count: Int) -> [UInt8] { Clip(clip.packets.prefix(count).flatMap(\.bytes)).pcm() }
    return [
      Row("shorter than the wait", clip.prefix(packets: 20).bytes, cut(20)),
      Row("one packet", clip.prefix(packets: 1).bytes, cut(1)),
      Row("ID3v2 of 5 MB", id3 + sound, pcm),
      Row("two ID3v2, one behind the other", id3 + id3.prefix(10) + id3.dropFirst(10) + sound, pcm),
      Row("APE", sound + FileSoundTests.ape, pcm),
      Row("APE and ID3v1", sound + FileSoundTests.ape + FileSoundTests.id3v1, pcm),
      Row("APE without a head", sound + footer, pcm),
      Row("garbage before", noise + sound, pcm),
      Row("300,000 bytes of garbage before", [UInt8](repeating: 0, count: 300_000) + sound, pcm),
      Row("2,000,000 bytes of garbage before", [UInt8](repeating: 0, count: 2_000_000) + sound, pcm),
      Row("a tag as garbage before", Array(id3.prefix(10) + noise.prefix(300)) + sound, pcm),
      Row("a little garbage behind", sound + noise.prefix(9), pcm),
      Row("garbage behind", sound + noise, pcm),
      Row("garbage before and behind", noise.prefix(3_000) + sound + noise.prefix(700), pcm),
      Row("torn in mid-packet", Array(sound.dropLast(200)), cut(149)),
      Row("torn in a header", Array(sound.dropLast(415)), cut(149)),
      Row("gapless", figures + sound, exact),
      Row("gapless among tags", id3 + figures + sound + FileSoundTests.ape(9_000) + FileSoundTests.id3v1, exact),
      Row("gapless, then garbage", figures + sound + noise.prefix(3_000), exact),
      Row("growing", long.bytes, long.pcm(), first: 100_000),
    ]
  }()

  @Test("A file is complete after its last sample, and not earlier", arguments: rows, ["HTTP", "local"])
  func isComplete(row: Row, source: String) async throws {
    try await Stage.run(speed: 3) {
      let folder = TemporaryFolder()
      let path = folder.write(Array(row.bytes.prefix(row.first ?? .max)), to: "song.mp3")
      let file = FileServer(row.bytes)
      // The server states the final length and sends the rest when it is available.
      let grown = Gate()
      let station = try ScriptedStation(tail: { file.actions(for: $0) }) { visit in
        guard let first = row.first else { return file.actions(for: visit) }
        return [
          .file(row.bytes.count), .send(Array(row.bytes.prefix(first))), .gate(grown),
          .send(Array(row.bytes.dropFirst(first))),
        ]
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      var atTheEnd: (count: Int, position: Double)?
      let keep = rig.radio.onEvent
      rig.radio.onEvent = { [unowned rig] event, time in
        keep(event, time)
        if event.name == "fileComplete" { atTheEnd = (rig.pcmCount, rig.radio.status.position) }
      }
      let seconds = Double(row.pcm.count) / 176_400
      rig.tune(source == "HTTP" ? station.url("/song.mp3") : try WebAddress(filePath: path).url.unredacted) {
        $0.addressKind = .raw
      }
      if row.first != nil {
        #expect(rig.next("playing") != nil || source == "HTTP")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(row.bytes.dropFirst(row.first ?? 0)))
        try handle.close()
        grown.open()
      } else {
        #expect(rig.next("playing") != nil)
        let isKnown = rig.run(2) { abs((rig.radio.duration ?? 0) - seconds) < 0.027 }
        // Garbage is recognised only after it arrives.
        if !row.testDescription.contains("garbage") {
          #expect(isKnown, "\(rig.radio.duration ?? 0) s instead of \(seconds)")
        }
      }
      #expect(rig.playOut())
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"], "\(rig.names)")
      #expect(rig.holdsUnlessLate(atTheEnd?.count == row.pcm.count))
      #expect(abs((atTheEnd?.position ?? 0) - seconds) < 0.001)
      #expect(abs(rig.radio.close().heard - seconds) < 0.001)
      #expect(rig.holdsUnlessLate(difference(rig.pcm, row.pcm) == nil))
    }
  }

  /// Start position, range support, and bytes of a tag after the audio.
  static let ends: [(start: Double, supportsRanges: Bool, tag: Int)] = [
    (100, false, 0), (26, false, 0), (9_999, false, 100_000), (9_999, true, 100_000), (27, true, 100_000),
  ]

  @Test("A file started at or past its end is finished, with a report (O1)", arguments: ends)
  func begunBehindItsEnd(start: Double, supportsRanges: Bool, tag: Int) async throws {
    try await Stage.run {
      var file = FileServer(ToneMp3.frames(990, seed: 74) + (tag > 0 ? FileSoundTests.ape(tag) : []))
      file.supportsRanges = supportsRanges
      let station = try ScriptedStation(file)
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/song.mp3")) { ($0.start, $0.mode) = (StreamTime(seconds: start), .file) }
      #expect(rig.playOut(within: 5), "\(rig.names)")
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"], "\(rig.names)")
      #expect(rig.events.last?.event == .stopped(.end))
    }
  }

  @Test("A start position without audio after it is reported")
  func nothingBehindThePlace() async throws {
    try await Stage.run {
      var file = FileServer((0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 7) & 0x7F })
      file.supportsRanges = false
      let station = try ScriptedStation(file)
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/song.mp3")) {
        ($0.start, $0.mode, $0.addressKind) = (StreamTime(seconds: 5), .file, .raw)
      }
      #expect(rig.playOut(within: 5), "\(rig.names)")
      #expect(rig.events.last?.event == .stopped(.error) && rig.names.contains("badContent"), "\(rig.names)")
    }
  }

  @Test(
    "A tail request reads only its bytes, and ends with the file or after ten seconds",
    arguments: ["endless", "left", "silent"])
  func tailWithoutEnd(kind: String) async throws {
    try await Stage.run(speed: 2) {
      let bytes = Clip.mp3(2).bytes
      let place = "Content-Range: bytes \(bytes.count - 512)-\(bytes.count - 1)/\(bytes.count)"
      let rest: StationAction = kind == "endless" ? .send([UInt8](repeating: 0, count: 4 << 20)) : .stall
      let station = try ScriptedStation(
        tail: { _ in [.head("206 Partial Content", ["Content-Type: audio/mpeg", "ETag: \"1\"", place]), rest] },
        { FileServer(bytes).actions(for: $0) })
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/song.mp3"))
      #expect(bench.run { station.tailVisits.count == 1 })
      if kind == "left" { bench.net.stop() }
      #expect(bench.run(kind == "silent" ? 20 : 6) { station.connectionCount == 0 })
      #expect(station.deliveredByteCount < bytes.count + (64 << 10))
      #expect(station.visits.count == 1 && station.tailVisits.count == 1)
    }
  }
}
