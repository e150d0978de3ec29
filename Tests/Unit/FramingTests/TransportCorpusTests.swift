import Foundation
import Framing
import MediaSupport
import Testing

struct TransportCorpusTests {
  static let root =
    (ProcessInfo.processInfo.environment["BAKELITE_SHARED"] ?? "../shared") + "/corpora/media3/ts/"
  static var isHere: Bool { FileManager.default.fileExists(atPath: root) }

  static func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: root + name))) }

  /// The payloads of all PES packets with `pid`, read in the simplest way; `stream` must be undamaged.
  static func bodies(_ stream: [UInt8], pid: UInt16) -> [UInt8] {
    var bodies: [UInt8] = []
    for start in stride(from: 0, to: stream.count - 187, by: 188) {
      let packet = Array(stream[start..<start + 188])
      guard UInt16(packet[1] & 0x1F) << 8 | UInt16(packet[2]) == pid else { continue }
      let payload = packet[(packet[3] & 0x20 != 0 ? 5 + Int(packet[4]) : 4)...]
      let isStart = packet[1] & 0x40 != 0
      bodies += isStart ? payload.dropFirst(9 + Int(payload[payload.startIndex + 8])) : payload
    }
    return bodies
  }

  @Test("Foreign MPEG audio is read to the last frame", .enabled(if: isHere, "no corpora here"))
  func mpegAudio() throws {
    let stream = try Self.bytes("sample_mpeg_audio_with_audio_type.ts")
    let outcome = TransportOutcome(stream)
    #expect(outcome.sound == Self.bodies(stream, pid: 0x100))
    #expect(outcome.firstTime == 0x1EC30)
    #expect(outcome.isSameAtEveryCut(stream))
    let framed = Framed(outcome.sound)
    #expect(framed.skipped == 0)
    #expect(framed.packets.count == 42)
  }

  @Test("Foreign LATM becomes AAC", .enabled(if: isHere, "no corpora here"))
  func latm() throws {
    let stream = try Self.bytes("sample_latm.ts")
    var reader = LatmReader()
    var sound: [UInt8] = []
    reader.read(Self.bodies(stream, pid: 0x100).span) { sound += $0.array }
    let outcome = TransportOutcome(stream)
    #expect(outcome.sound == sound)
    #expect(outcome.refusal == nil)
    #expect(outcome.isSameAtEveryCut(stream))
    #expect(Framed(sound).packets.count > 3)
  }

  @Test("A lost LATM packet costs frames and makes no false ones", .enabled(if: isHere, "no corpora here"))
  func lostLatm() throws {
    let body = Self.bodies(try Self.bytes("sample_latm.ts"), pid: 0x100)
    var writer = TransportStreamWriter()
    writer.tables([.init(type: 0x11, pid: TransportStreamWriter.soundPID)])
    for start in stride(from: 0, to: body.count, by: 130) {
      writer.pes(Array(body[start..<min(start + 130, body.count)]))
    }
    let stream = writer.bytes
    let whole = Framed(TransportOutcome(stream).sound).bytes
    for start in stride(from: 376, to: stream.count, by: 188) {
      let frames = Framed(TransportOutcome(Array(stream[..<start] + stream[(start + 188)...])).sound).bytes
      let areTrue = frames.allSatisfy { whole.contains($0) }
      #expect(areTrue, "packet \(start / 188)")
      // The first frame contains the config and fills the first three packets.
      let fewest = start < 5 * 188 ? 0 : whole.count - 3
      #expect((fewest..<whole.count).contains(frames.count), "packet \(start / 188)")
    }
  }

  @Test("LATM on another PID needs its own config", .enabled(if: isHere, "no corpora here"))
  func movedLatm() throws {
    let body = Self.bodies(try Self.bytes("sample_latm.ts"), pid: 0x100)
    let rest = Array(body[(3 + Int(body[1] & 0x1F) << 8 + Int(body[2]))...])
    for pid in [TransportStreamWriter.soundPID, 0x111] {
      var writer = TransportStreamWriter()
      writer.tables([.init(type: 0x11, pid: TransportStreamWriter.soundPID)])
      writer.pes(body)
      let first = TransportOutcome(writer.bytes).sound
      writer.tables([.init(type: 0x11, pid: pid)], version: 1)
      writer.pes(pid, rest)
      let isMoved = TransportOutcome(writer.bytes).sound == first
      #expect(isMoved == (pid == 0x111))
    }
  }

  @Test(
    "Audio between junk and a picture loses only the cut part", .enabled(if: isHere, "no corpora here"))
  func junk() throws {
    let stream = try Self.bytes("sample_with_junk")
    let outcome = TransportOutcome(stream)
    let framed = Framed(outcome.sound)
    // Two PES packets of 2,507 and 2,508 bytes, with junk after about every fifth transport packet.
    #expect(outcome.sound.count == 5_015)
    #expect(framed.packets.count == 4)
    #expect(framed.skipped == 0)
    #expect(outcome.isSameAtEveryCut(stream))
  }

  @Test("Data that is not a transport stream has no audio", .enabled(if: isHere, "no corpora here"))
  func noStream() throws {
    let adts = try Self.bytes("sample.adts")
    let outcome = TransportOutcome(adts)
    #expect(outcome.runs.isEmpty && outcome.refusal == nil)
    #expect(outcome.byteCountWithoutSound > adts.count - 400)
  }

  static let ffmpeg = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin"].split(separator: ":")
    .map { "\($0)/ffmpeg" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  static func wrap(_ input: String, _ options: [String], _ output: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(ffmpeg))
    process.arguments = ["-v", "error", "-nostdin", "-i", input, "-c", "copy"] + options + [output]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  @Test(
    "ffmpeg's output returns unchanged", .enabled(if: ffmpeg != nil && isHere, "no ffmpeg or no corpora here"),
    arguments: [[], ["-mpegts_flags", "latm"], ["-pes_payload_size", "200"], ["-mpegts_flags", "pat_pmt_at_frames"]])
  func wrapped(options: [String]) throws {
    let base = NSTemporaryDirectory() + "/bakelite-\(UUID().uuidString)"
    defer { for kind in ["aac", "m4a", "ts"] { try? FileManager.default.removeItem(atPath: "\(base).\(kind)") } }
    let sound = try Self.bytes("sample.adts")
    try Data(sound).write(to: URL(filePath: base + ".aac"))
    // FFmpeg writes LATM only from a file that contains a config.
    try Self.wrap(base + ".aac", [], base + ".m4a")
    try Self.wrap(base + ".m4a", options + ["-f", "mpegts"], base + ".ts")
    let stream = Array(try Data(contentsOf: URL(filePath: base + ".ts")))
    let outcome = TransportOutcome(stream)
    // FFmpeg writes its own ADTS headers of 7 bytes; the frames after them are equal.
    let frames = Framed(sound).bytes.map { Array($0.dropFirst(7)) }
    let isSame = Framed(outcome.sound).bytes.map { Array($0.dropFirst(7)) } == frames
    #expect(isSame, "\(outcome.sound.count) bytes, \(String(describing: outcome.refusal))")
    #expect(frames.count == 144)
    #expect(outcome.firstTime != nil)
    #expect(outcome.isSameAtEveryCut(stream))
  }
}
