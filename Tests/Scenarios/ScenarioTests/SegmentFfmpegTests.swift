import Foundation
import MediaSupport
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// HLS and LATM written by ffmpeg: the radio's packets equal the source's, byte for byte.
@Suite(.enabled(if: Repository.tool("ffmpeg") != nil, "no ffmpeg here"))
struct SegmentFfmpegTests {
  private struct NotWritten: Error { var arguments: String }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var clip: Clip
    var options: String
    /// True if the format drops the packets' headers, which the radio then rebuilds.
    var isBare = false

    init(_ name: String, _ clip: Clip, _ options: String, isBare: Bool = false) {
      (testDescription, self.clip, self.options, self.isBare) = ("\(name): \(options)", clip, options, isBare)
    }
  }

  private static func fixture(_ name: String) -> Clip { Clip(Repository.bytes("Tests/Support/Fixtures/\(name)")) }

  private static let segmenter = "-f segment -segment_list list.m3u8 -segment_list_type m3u8 -segment_time 4"
  private static let hls = "-f hls -hls_time 4 -hls_list_size 0"
  private static let latm = "\(segmenter) -segment_format mpegts -segment_format_options mpegts_flags=latm"
  private static let fragments = "\(hls) -hls_segment_type fmp4"
  private static let encryption = "-hls_enc 1 -hls_enc_key 0123456789abcdef"

  private static let programmes = [
    ("AAC-LC", Clip.aac(18)), ("HE-AAC", fixture("long-he-44100.aac").prefix(18)),
    ("HE-AAC v2", fixture("long-he2-44100.aac").prefix(18)),
  ]

  private static let rows =
    programmes.flatMap { name, clip in
      [
        Row(name, clip, "\(segmenter) -segment_format adts %d.aac"), Row(name, clip, "\(hls) list.m3u8"),
        Row(name, clip, "\(hls) \(encryption) list.m3u8"),
        Row(name, clip, "\(hls) -hls_flags single_file list.m3u8"),
        Row(name, clip, "\(fragments) list.m3u8", isBare: true),
        Row(name, clip, "\(fragments) -hls_flags single_file list.m3u8", isBare: true),
        Row(name, clip, "\(latm) %d.ts", isBare: true),
      ]
    }
    + [("MP3", Clip.mp3(18)), ("MP3 at 22.05 kHz", fixture("long-vbr-22050.mp3").prefix(18))].flatMap { name, clip in
      [
        Row(name, clip, "\(segmenter) -segment_format mp3 -segment_format_options write_xing=0 %d.mp3"),
        Row(name, clip, "\(hls) list.m3u8"), Row(name, clip, "\(fragments) list.m3u8"),
      ]
    }

  /// Returns a folder with the muxer's output for a clip. If `isBare`, its packets' headers are removed first.
  private static func mux(_ clip: Clip, _ options: String, isBare: Bool = false) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let isAac = clip.packets[0].info.format.codec == .aac
    folder.write(clip.bytes, to: "source")
    let input = "-f \(isAac ? "aac" : "mp3") -i source"
    if isBare { try run("\(input) -c copy bare.mp4", in: folder) }
    try run("\(isBare ? "-i bare.mp4" : input) -map 0:a -c copy \(options)", in: folder)
    return folder
  }

  private static func run(_ arguments: String, in folder: TemporaryFolder) throws {
    let process = Process()
    process.executableURL = URL(filePath: Repository.tool("ffmpeg") ?? "")
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.arguments = ["-v", "fatal", "-nostdin", "-y"] + arguments.split(separator: " ").map { String($0) }
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw NotWritten(arguments: arguments) }
  }

  private static func play(_ folder: TemporaryFolder) throws -> [UInt8] {
    let station = try ScriptedStation { visit in
      let name = String(visit.path.dropFirst())
      if name.hasSuffix("m3u8") {
        let list = String(decoding: folder.bytes(of: name), as: UTF8.self)
        return StationAction.response("200 OK", list, type: "application/vnd.apple.mpegurl")
      }
      return FileServer(folder.bytes(of: name)).actions(for: visit)
    }
    defer { station.close() }
    let bench = try NetBench()
    bench.tune(station.url("/list.m3u8"))
    #expect(bench.run(120) { bench.notices.contains { $0.notice == .complete } })
    bench.readAll()
    #expect(bench.stitches.isEmpty && bench.reasons.isEmpty && bench.faults.isEmpty)
    return bench.readBytes
  }

  /// Compares packets; only their contents if the headers are rebuilt.
  private static func expect(_ heard: [UInt8], _ clip: Clip, isBare: Bool) {
    guard isBare, clip.packets[0].info.format.codec == .aac else {
      #expect(difference(heard, clip.bytes) == nil)
      return
    }
    let units = Clip(heard).packets.map { $0.bytes.dropFirst(7) }
    let isSame = units == clip.packets.map { $0.bytes.dropFirst($0.bytes[1] & 1 == 0 ? 9 : 7) }
    #expect(isSame, "\(units.count) packets of \(clip.packets.count)")
  }

  @Test("An HLS station's packets equal the muxed ones", arguments: rows)
  func packets(_ row: Row) async throws {
    try await Stage.run(speed: 8) {
      Self.expect(try Self.play(try Self.mux(row.clip, row.options, isBare: row.isBare)), row.clip, isBare: row.isBare)
    }
  }

  @Test("A live station's LATM packets equal the muxed ones", arguments: programmes.map(\.0))
  func latmAlone(_ name: String) async throws {
    try await Stage.run(speed: 8) {
      let clip = try #require(Self.programmes.first { $0.0 == name }).1
      let folder = try Self.mux(clip, "-f latm out.latm", isBare: true)
      let bytes = folder.bytes(of: "out.latm")
      let station = try ScriptedStation([.live(type: "audio/aacp"), .send(bytes), .stall])
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      // The last packet's end is known only from the next packet.
      let least = clip.prefix(packets: clip.packets.count - 1)
      #expect(bench.run { bench.written > least.duration - 0.01 })
      bench.readAll()
      let count = Clip(bench.readBytes).packets.count
      #expect(count >= least.packets.count)
      Self.expect(bench.readBytes, clip.prefix(packets: count), isBare: true)
    }
  }
}
