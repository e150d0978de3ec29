import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// A file without a length, whose server sends the file from its first byte at each connection (R1.5).
@Suite struct RepeatedFileTests {
  enum Break: Sendable { case reset, close }

  /// Headers and framing of a response without a length.
  struct Form: Sendable {
    var isChunked = false
    var headers: [String] = []
    var metaint: Int?

    static let chunks = Form(isChunked: true)
    static let connection = Form()
    static let icy = Form(headers: ["icy-name: Test FM"])
    static let icyTitles = Form(isChunked: true, headers: ["icy-name: Test FM", "icy-metaint: 8000"], metaint: 8_000)

    /// Returns the actions for a part of a file. `ending`: nil for the end of the file.
    func answer(_ bytes: some Sequence<UInt8>, _ ending: Break? = nil, rate: Double? = nil) -> [StationAction] {
      var body = Array(bytes)
      if let metaint { body = Icy.interleave(body, metaint: metaint, titles: [(at: 0, text: "One - Two")]) }
      let send: StationAction = rate.map { .pace(body, perSecond: $0, burst: body.count / 4) } ?? .send(body)
      let head = StationAction.head("200 OK", headers + (isChunked ? ["Transfer-Encoding: chunked"] : []))
      guard isChunked else { return [head, send] + (ending == .reset ? [.wait(0.2), .reset] : []) }
      let size = String(body.count + (ending == .reset ? 1 : 0), radix: 16)
      return [head, .text("\(size)\r\n"), send] + (ending == .reset ? [.wait(0.2), .reset] : [.text("\r\n0\r\n\r\n")])
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var form = Form.chunks
    var isAac = false
    var seconds = 20.0
    /// Bytes of the first connections, and their ends.
    var breaks: [(at: Int, by: Break)] = []
    /// Number of requests.
    var count = 2
    /// Bytes per second; nil for full speed.
    var rate: Double?
  }

  static let cases = [
    Case(testDescription: "in chunks"),
    Case(testDescription: "ended by its connection", form: .connection),
    Case(testDescription: "with ICY headers", form: .icy),
    Case(testDescription: "with titles", form: .icyTitles),
    Case(testDescription: "of less than 64 KiB", form: .connection, seconds: 3),
    Case(testDescription: "of less than 64 KiB, with ICY headers", form: .icy, seconds: 3),
    Case(testDescription: "at the pace of its audio", form: .connection, seconds: 6, rate: 16_000),
    Case(testDescription: "reset twice", breaks: [(120_001, .reset), (200_100, .reset)], count: 4),
    Case(testDescription: "closed early twice", breaks: [(120_001, .close), (200_100, .close)], count: 4),
    Case(
      testDescription: "closed early, with titles", form: .icyTitles, breaks: [(120_001, .close), (200_100, .reset)],
      count: 4),
    Case(
      testDescription: "ended by its connection, closed within 64 KiB", form: .connection,
      breaks: [(20_000, .close), (41_000, .reset)], count: 4),
    Case(
      testDescription: "broken at an earlier byte later", form: .icyTitles,
      breaks: [(200_000, .reset), (90_000, .close)],
      count: 4),
    Case(
      testDescription: "reset, faster than its audio", form: .connection, seconds: 12, breaks: [(100_000, .reset)],
      count: 3, rate: 64_000),
    Case(testDescription: "AAC", form: .connection, isAac: true),
    Case(testDescription: "AAC, reset twice", isAac: true, breaks: [(100_001, .reset), (150_100, .reset)], count: 4),
  ]

  @Test("A file without a length plays once, and continues where its connection broke (R1.5)", arguments: cases)
  func playsOnce(one: Case) async throws {
    try await Stage.run(speed: one.rate == nil ? 1 : 4) {
      let clip = one.isAac ? Clip.aac(one.seconds) : Clip.mp3(one.seconds)
      let station = try ScriptedStation { visit in
        guard visit.number < one.breaks.count else { return one.form.answer(clip.bytes, rate: one.rate) }
        let part = one.breaks[visit.number]
        return one.form.answer(clip.bytes.prefix(part.at), part.by, rate: one.rate)
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/episode"))
      #expect(rig.playOut(within: 60))
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"] && rig.events.last?.event == .stopped(.end))
      #expect(station.visits.count == one.count, "\(rig.names)")
      #expect(rig.events("metadataChanged").count == (one.form.metaint == nil ? 0 : 1))
      for case .stitched(_, let lost, let isExact, _) in rig.events("stitched") { #expect(isExact && lost == 0) }
      guard case .fileComplete(let heard) = rig.next("fileComplete") else { return }
      // The first packet of AAC has no sound.
      #expect(abs(heard - clip.duration) < (one.isAac ? 0.03 : 0.001))
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A file continues after refusals, stalls and a response with a length", arguments: ["503", "stall", "ranges"])
  func continues(kind: String) async throws {
    try await Stage.run(speed: 2) {
      let clip = Clip.mp3(16)
      let station = try ScriptedStation { visit in
        let first = Array(clip.bytes.prefix(150_000))
        switch (kind, visit.number) {
        case ("stall", 0): return [.head("200 OK", ["Content-Type: audio/mpeg"]), .send(first), .stall]
        case (_, 0): return Form.chunks.answer(first, .reset)
        case ("503", 1), ("503", 2): return StationAction.response("503 Busy")
        case ("ranges", _): return StationAction.file(clip.bytes)
        default: return Form.chunks.answer(clip.bytes)
        }
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/episode"))
      #expect(rig.playOut(within: 60))
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"], "\(rig.names)")
      #expect(station.visits.count == (kind == "503" ? 5 : kind == "stall" ? 3 : 2))
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A file that always breaks at the same byte ends after five requests without new audio")
  func breaksForEver() async throws {
    try await Stage.run(speed: 2) {
      let clip = Clip.mp3(8)
      let station = try ScriptedStation { _ in Form.chunks.answer(clip.bytes, .reset) }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/episode"))
      #expect(rig.playOut(within: 60))
      #expect(rig.names.last == "stopped" && station.visits.count == 6, "\(rig.names)")
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  @Test("A station that repeats its announcement goes on", arguments: [2.0, 4.1, 8.0], [Form.connection, .icy])
  func announcement(seconds: Double, form: Form) async throws {
    try await Stage.run(speed: 2) {
      let (announcement, song) = (Clip.mp3(seconds), Clip.long(60))
      let station = try ScriptedStation { visit in
        // Each connection sends other songs after its announcement.
        let part = song.from(visit.number % 10 * 200).prefix(packets: 200)
        return form.answer(announcement.bytes + part.bytes)
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.run(60) { station.visits.count == 6 })
      #expect(rig.radio.state != .stopped && !rig.names.contains("fileComplete"))
      let songs = (0..<4).map { number in
        Sound(Array(Clip(song.from(number * 200 + 60).prefix(packets: 80).bytes).pcm().dropFirst(20_000)))
      }
      // The last songs may be buffered.
      let isWhole = rig.run(60) {
        rig.run(for: 1)
        let heard = Sound(rig.pcm)
        return songs.allSatisfy { heard.place(of: $0) != nil }
      }
      #expect(isWhole)
      _ = rig.radio.close()
    }
  }

  @Test("A station that breaks or falls silent plays again from its first packets (R4.2)", arguments: [true, false])
  func restartsAtOnce(isReset: Bool) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.mp3(12)
      let station = try ScriptedStation { visit in
        visit.number == 0
          ? Form.icy.answer(clip.bytes) + (isReset ? [.wait(1), .reset] : [.stall])
          : Form.icy.answer(clip.bytes, rate: 16_200) + [.stall]
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      let count = clip.pcm().count
      #expect(rig.run(60) { rig.pcmCount > 2 * count - 200_000 }, "\(rig.names)")
      #expect(rig.radio.state != .stopped && !rig.names.contains("fileComplete"))
      _ = rig.radio.close()
    }
  }

  @Test("A station whose server was gone starts again with the same audio (R4.2)")
  func restartedStation() async throws {
    try await Stage.run(speed: 2) {
      let clip = Clip.mp3(10)
      let station = try ScriptedStation { visit in
        visit.number == 1 ? [] : Form.icy.answer(clip.bytes) + (visit.number == 2 ? [.stall] : [])
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      let count = clip.pcm().count
      #expect(rig.run(20) { rig.pcmCount > 2 * count - 200_000 }, "\(rig.names)")
    }
  }
}
