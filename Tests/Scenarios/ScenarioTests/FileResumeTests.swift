import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import System
import TestSupport
import Testing
import Units

/// A download resumes at its last byte, and never mixes bytes of another file within a packet (R11.2, E3).
@Suite struct FileResumeTests {
  static let clip = Clip(ToneMp3.frames(1_200, seed: 8))
  static let pcm = clip.pcm()

  private func play(
    _ station: ScriptedStation, within seconds: Double = 40, _ check: (RadioRig) throws -> Void
  ) throws {
    let rig = try RadioRig()
    rig.tune(station.url("/song.mp3")) { $0.dataTimeout = Duration(milliseconds: 2_000) }
    #expect(rig.playOut(within: seconds))
    _ = rig.radio.close()
    try check(rig)
  }

  @Test("A connection that breaks inside a packet resumes at that byte")
  func resumesAtByte() async throws {
    try await Stage.run(speed: 4) {
      let file = FileServer(Self.clip.bytes)
      let places = [100_001, 250_002, 250_003, 400_005]
      let station = try ScriptedStation { visit in
        guard visit.number < places.count else { return file.actions(for: visit) }
        let from = visit.header("Range").flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
        return file.actions(for: visit, most: places[visit.number] - from) + [.reset]
      }
      defer { station.close() }
      try play(station) { rig in
        #expect(station.firstBytes == [nil, 100_001, 250_002, 250_003, 400_005])
        #expect(station.visits.dropFirst().allSatisfy { $0.header("If-Range") == "\"1\"" })
        #expect(rig.events("reconnecting").count == 4)
        #expect(rig.names.contains("fileComplete"))
        #expect(difference(rig.pcm, Self.pcm) == nil)
      }
    }
  }

  @Test("Without ranges, the received bytes are skipped")
  func passesWhatWasThere() async throws {
    try await Stage.run(speed: 4) {
      var file = FileServer(Self.clip.bytes)
      file.supportsRanges = false
      file.headers = ["Accept-Ranges: bytes"]
      let answers = file
      let station = try ScriptedStation { answers.actions(for: $0, most: $0.number == 0 ? 200_123 : .max) }
      defer { station.close() }
      try play(station) { rig in
        #expect(station.visits.count == 2)
        #expect(difference(rig.pcm, Self.pcm) == nil)
      }
    }
  }

  @Test(
    "A part that starts early is trimmed, one that starts late is refused", arguments: [-500, 500])
  func wrongOffset(offset: Int) async throws {
    try await Stage.run(speed: 4) {
      let bytes = Self.clip.bytes
      let file = FileServer(bytes)
      let station = try ScriptedStation { visit in
        if visit.number == 0 { return file.actions(for: visit, most: 200_123) }
        guard let asked = visit.header("Range").flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
          return file.actions(for: visit)
        }
        let place = asked + offset
        return [
          .head(
            "206 Partial Content",
            ["Content-Range: bytes \(place)-\(bytes.count - 1)/\(bytes.count)", "ETag: \"1\""]),
          .send(Array(bytes[place...])),
        ]
      }
      defer { station.close() }
      try play(station) { rig in
        #expect(station.visits.count == (offset < 0 ? 2 : 3))
        #expect(difference(rig.pcm, Self.pcm) == nil)
      }
    }
  }

  @Test("Another file continues at the same time, or ends if shorter", arguments: ["tag", "length", "416"])
  func changedFile(kind: String) async throws {
    try await Stage.run(speed: 4) {
      var (old, new) = (FileServer(Self.clip.bytes), FileServer(ToneMp3.frames(1_200, seed: 99)))
      if kind == "tag" { new.etag = "\"2\"" }
      if kind == "length" {
        (old.etag, new.etag) = (nil, nil)
        new.bytes += ToneMp3.frames(3, seed: 1)
      }
      if kind == "416" { new.bytes = Array(new.bytes.prefix(100_000)) }
      let (first, second) = (old, new)
      let station = try ScriptedStation {
        $0.number == 0 ? first.actions(for: $0, most: 200_123) : second.actions(for: $0)
      }
      defer { station.close() }
      try play(station) { rig in
        let isShorter = kind == "416"
        #expect(rig.names.contains("badContent") == isShorter && rig.names.contains("fileComplete") != isShorter)
        #expect(rig.names.contains("stitched") != isShorter)
        #expect(rig.events("stopped") == [.stopped(isShorter ? .error : .end)])
        // Without the other file, all received packets play.
        let seconds = Double(rig.pcm.count) / 176_400
        #expect(isShorter ? seconds > 12 && seconds < 14 : seconds > 31, "\(seconds) s")
        if isShorter { #expect(difference(rig.pcm, beginningOf: Self.pcm) == nil) }
      }
    }
  }

  @Test(
    "A part in another coding is refused, and the buffer plays",
    arguments: [
      (nil, "gzip", false), (nil, "br", false), (nil, "x-secret", false), (nil, "identity", true),
      ("aws-chunked", "aws-chunked", true), ("aws-chunked", nil, true),
    ] as [(String?, String?, Bool)], ["part", "whole"])
  func codedPart(codings: (first: String?, second: String?, isRight: Bool), answer: String) async throws {
    try await Stage.run(speed: 4) {
      let file = FileServer(Self.clip.bytes)
      let station = try ScriptedStation { visit in
        var answers = file
        answers.headers = (visit.number == 0 ? codings.first : codings.second).map { ["Content-Encoding: \($0)"] } ?? []
        if answer == "whole" { answers.headers.append("Accept-Ranges: bytes") }
        if answer == "whole", visit.number > 0 { answers.supportsRanges = false }
        return answers.actions(for: visit, most: visit.number == 0 ? 200_123 : .max)
      }
      defer { station.close() }
      try play(station) { rig in
        #expect(rig.names.contains("badContent") != codings.isRight)
        #expect(rig.names.contains("fileComplete") == codings.isRight)
        #expect(station.visits.count == 2)
        if codings.isRight {
          #expect(difference(rig.pcm, Self.pcm) == nil)
        } else {
          #expect(difference(rig.pcm, beginningOf: Self.pcm) == nil)
          #expect(rig.pcm.count > 12 * 176_400)
        }
      }
    }
  }

  @Test("A file shorter than announced ends at its real end", arguments: ["416", "closes"])
  func shorterThanTold(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let bytes = Self.clip.bytes
      let station = try ScriptedStation { visit in
        if visit.number > 0, kind == "416" {
          return [.head("416 Range Not Satisfiable", ["Content-Range: bytes */\(bytes.count)", "Content-Length: 0"])]
        }
        return [.file(bytes.count + 5_000), .send(bytes)]
      }
      defer { station.close() }
      try play(station) { rig in
        #expect(rig.names.contains("fileComplete"))
        #expect(difference(rig.pcm, Self.pcm) == nil)
      }
    }
  }

  @Test("A server absent for long is retried, and the audio is complete")
  func goneForLong() async throws {
    try await Stage.run(speed: 8) {
      let file = FileServer(Self.clip.bytes)
      let station = try ScriptedStation { visit in
        switch visit.number {
        case 0: file.actions(for: visit, most: 150_000) + [.reset]
        case 1...6: StationAction.response("503 Service Unavailable")
        default: file.actions(for: visit)
        }
      }
      defer { station.close() }
      try play(station, within: 60) { rig in
        // A busy machine may report the missing file late.
        #expect(station.visits.count >= 8 && rig.names.contains("httpError"))
        #expect(difference(rig.pcm, Self.pcm) == nil)
      }
    }
  }

  @Test("A resumed file of endless tags is given up after a few requests")
  func nothingButTags() async throws {
    try await Stage.run {
      let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F] + [UInt8](repeating: 0, count: 8_182)
      let station = try ScriptedStation { visit in
        let from = visit.header("Range").flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
        let place = "Content-Range: bytes \(from)-\(from + 8_191)/9000000000000000000"
        return [
          .head("206 Partial Content", ["Content-Type: audio/mpeg", place, "Content-Length: 8192"]), .send(tag),
        ]
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/song.mp3")) { $0.start = StreamTime(seconds: 60) }
      #expect(rig.playOut(within: 8))
      #expect(station.visits.count < 40)
      #expect(rig.events.last?.event == .stopped(.error))
    }
  }

  @Test("A count for an estimated start reads no more than requested (O3)")
  func countWithoutEnd() async throws {
    try await Stage.run {
      let packets = (0..<1_600).map { ToneMp3.frames(1, kilobits: $0 % 400 < 200 ? 64 : 192, seed: UInt64($0)) }
      let sound = packets.flatMap { $0 }
      var (ends, end) = ([0], 0)
      for packet in packets {
        end += packet.count
        ends.append(end)
      }
      let table = (0..<100).map { UInt8(256 * ends[$0 * packets.count / 100] / sound.count) }
      let bytes = ToneMp3.infoPacket(1_600, byteCount: sound.count, delay: 576, padding: 1_105, table: table) + sound
      let counts = Locked(0)
      let station = try ScriptedStation { visit in
        let ends = (visit.header("Range") ?? "").dropFirst(6).split(separator: "-").compactMap { Int($0) }
        guard ends.count == 2, ends[0] > 0 else { return FileServer(bytes).actions(for: visit) }
        counts.withLock { $0 += 1 }
        let place = "Content-Range: bytes \(ends[0])-\(ends[1])/\(bytes.count)"
        return [
          .head("206 Partial Content", ["Content-Type: audio/mpeg", "ETag: \"1\"", place]),
          .send([UInt8](repeating: 0, count: 4 << 20)),
        ]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url("/song.mp3")) { $0.start = StreamTime(seconds: 30) }
      #expect(bench.run(20) { counts.withLock { $0 } == 1 }, "\(station.visits.map { $0.header("Range") ?? "" })")
      bench.run(for: 2)
      #expect(station.deliveredByteCount < 2 * bytes.count + (64 << 10))
      #expect(counts.withLock { $0 } == 1)
    }
  }
}
