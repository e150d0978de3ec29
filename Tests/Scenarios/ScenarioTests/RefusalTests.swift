import Http
import Network
import RadioEngine
import RadioSupport
import SeededRandom
import StationSupport
import TestSupport
import Testing
import Units

/// Unplayable content is reported by its cause, and ends (R1.12, R4.3, R5).
@Suite struct RefusalTests {
  @Test(
    "A refusal is reported with its status, and ends",
    arguments: [("404 Not Found", 404), ("410 Gone", 410), ("403 Forbidden", 403), ("401 Unauthorized", 401)])
  func refused(status: String, code: Int) async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.response(status, "<html>no</html>", type: "text/html"))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.playOut(within: 5))
      let missing = code == 404 || code == 410 ? ["missingContent"] : []
      #expect(rig.names == ["connecting", "httpError"] + missing + ["stopped"])
      #expect(rig.events("httpError") == [.httpError(code: code, url: station.url())])
      #expect(rig.events.last?.event == .stopped(.error))
      #expect(rig.radio.failure?.sentence.contains("127.0.0.1") == true)
      #expect(station.visits.count == 1)
    }
  }

  @Test("A failing server is retried, not before its Retry-After", arguments: [500, 503])
  func unwell(code: Int) async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        visit.number == 0
          ? StationAction.response("\(code) Sorry", headers: ["Retry-After: 2"])
          : [.live(), .send(Clip.mp3(2).bytes), .stall]
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.next("playing", within: 10) != nil)
      #expect(rig.events("httpError") == [.httpError(code: code, url: station.url())])
      #expect(rig.events("reconnecting").count == 1)
      #expect(station.visits.count == 2)
      #expect(station.visits[1].time - station.visits[0].time >= 2)
    }
  }

  @Test("A server with a longer Retry-After than the search is given up at once")
  func unwellForLong() async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.response("503 Sorry", headers: ["Retry-After: 120"]))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.playOut(within: 5))
      #expect(rig.names == ["connecting", "httpError", "stopped"] && station.visits.count == 1)
    }
  }

  @Test("A list of failing stations is tried quickly, then at most once a second")
  func unwellList() async throws {
    try await Stage.run(speed: 4) {
      let list = StationAction.response("200 OK", (0..<8).map { "/\($0)\n" }.joined(), type: "audio/x-mpegurl")
      let station = try ScriptedStation { $0.path == "/list.m3u" ? list : StationAction.response("503 Sorry") }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/list.m3u"))
      #expect(rig.run(5) { station.visits.count >= 9 })
      let (begin, count) = (monotonicSeconds(), station.visits.count)
      rig.run(for: 12)
      // The list leads to its first station without a pause.
      #expect(Double(station.visits.count - count) <= monotonicSeconds() - begin + 3)
      #expect(station.visits.count > count + 5 && rig.radio.state == .connecting)
    }
  }

  @Test("A station that is not up yet is retried until it is (R4.3)")
  func notUpYet() async throws {
    try await Stage.run {
      let early = try ScriptedStation([])
      let port = early.port
      early.close()
      let rig = try RadioRig()
      rig.tune("http://127.0.0.1:\(port)/live")
      #expect(rig.next("urlNotFound", within: 5) != nil)
      #expect(rig.next("reconnecting", within: 5) != nil)
      #expect(!rig.names.contains("timeoutExceeded"), "the host has answered")
      #expect(rig.radio.state == .connecting && rig.radio.fault?.cause == .connectionRefused)
      let station = try ScriptedStation(port: port) { _ in [.live(), .send(Clip.mp3(2).bytes), .stall] }
      defer { station.close() }
      #expect(rig.next("playing", within: 5) != nil && rig.radio.fault == nil)
    }
  }

  @Test(
    "Each fault has its cause, whatever the address",
    arguments: [
      Answer("<!DOCTYPE html><html><body>FLAC</body></html>", .webPage),
      Answer([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .windowsMedia),
      Answer("Hello, this is some text and no audio at all.\n", .notAudio),
      Answer("OggS\0\u{2}", .notAudio), Answer("MPCK", .musepack), Answer("DSD ", .dsd), Answer("FRM8", .dsd),
      Answer([0x0B, 0x77, 1, 2, 0x14, 0x40], .dolby),
      Answer("", .passwordNeeded, status: "401 Unauthorized"), Answer("", .forbidden, status: "403 Forbidden"),
      Answer("", .notFound, status: "410 Gone"),
    ])
  func cause(_ known: Answer) async throws {
    try await Stage.run {
      let cause = known.cause
      let answer = [StationAction.head(known.status, ["Content-Type: audio/mpeg"]), .send(known.content)]
      let station = try ScriptedStation(answer)
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/FLAC/certificate/HLS"))
      #expect(rig.playOut(within: 5))
      #expect(rig.radio.failure?.cause == cause && rig.radio.fault?.cause == cause)
    }
  }

  struct Answer: Sendable {
    let status: String
    let content: [UInt8]
    let cause: PlaybackFault.Cause

    init(_ bytes: [UInt8], _ cause: PlaybackFault.Cause, status: String = "200 OK") {
      (self.status, self.cause) = (status, cause)
      content = bytes + [UInt8](repeating: 0, count: bytes.isEmpty || bytes[0] == 0x3C || bytes[0] == 0x48 ? 0 : 40)
    }

    init(_ text: String, _ cause: PlaybackFault.Cause, status: String = "200 OK") {
      self.init(Array(text.utf8), cause, status: status)
    }
  }

  @Test("A first connection that fails is retried for 30 s, then given up (R4.3)", arguments: ["503", "refused"])
  func givesUp(kind: String) async throws {
    try await Stage.run(speed: 4) {
      let station = try ScriptedStation { _ in StationAction.response("503 Busy") }
      if kind == "refused" { station.close() }
      defer { if kind != "refused" { station.close() } }
      let rig = try RadioRig()
      let begin = rig.radio.time
      rig.tune(station.url())
      #expect(rig.playOut(within: 60))
      let seconds = rig.radio.time - begin
      #expect(seconds > 25 && rig.holdsUnlessLate(seconds < 33), "\(seconds) s")
      #expect(rig.events.last?.event == .stopped(.error))
      #expect(rig.events("reconnecting").count > 10)
    }
  }

  @Test("An empty response is retried")
  func emptyAnswer() async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        visit.number == 0 ? [.live()] : [.live(), .send(Clip.mp3(2).bytes), .stall]
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.next("reconnecting", within: 5) != nil)
      #expect(rig.next("playing", within: 5) != nil)
      #expect(station.visits.count == 2)
    }
  }

  @Test(
    "An unsupported codec is refused by name (R1.12)",
    arguments: [
      ("<!DOCTYPE html><html><head></head><body>Hello</body></html>", "text/html", "a web page"),
      ("OggS\0\u{2}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "application/ogg", "no audio"),
      ("fLaC\0\0\0\u{22}\u{10}\0\u{10}\0\0\0\0\0\0\0\0\0\0\0\0\0", "audio/flac", "no audio"),
      ("\0\0\0\u{20}ftypM4A \0\0\0\0M4A mp42isom\0\0\0\0", "audio/mp4", "an MP4 file"),
      ("Hello, this is some text and no audio at all.\n", "audio/mpeg", "no audio"),
    ])
  func notPlayable(content: String, type: String, name: String) async throws {
    try await Stage.run {
      let station = try ScriptedStation(StationAction.response("200 OK", content, type: type))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/thing"))
      #expect(rig.playOut(within: 5))
      #expect(rig.names == ["connecting", "badContent", "stopped"])
      guard case .badContent(let url, let message) = rig.next("badContent") else { return }
      #expect(url == station.url("/thing"))
      #expect(message.contains(name))
    }
  }

  @Test("Endless noise is given up, and never loud (R4.5)", arguments: ["random", "zeros"])
  func noise(kind: String) async throws {
    try await Stage.run {
      var random = SeededGenerator(7)
      let bytes = kind == "zeros" ? [UInt8](repeating: 0, count: 1 << 20) : random.bytes(1 << 20)
      let station = try ScriptedStation([.live(), .send(bytes), .stall])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.playOut(within: 15))
      #expect(rig.names == ["connecting", "badContent", "stopped"])
      #expect(rig.pcm.isEmpty)
    }
  }

  @Test("A trickle of unknown data is refused after ten seconds", arguments: ["noise", "text"])
  func trickle(kind: String) async throws {
    try await Stage.run(speed: 4) {
      var random = SeededGenerator(11)
      let bytes = kind == "text" ? Array(repeating: UInt8(ascii: "a"), count: 4_000) : random.bytes(40_000)
      let station = try ScriptedStation([.live(), .pace(bytes, perSecond: kind == "text" ? 100 : 800, burst: 20)])
      defer { station.close() }
      let rig = try RadioRig()
      let begin = monotonicSeconds()
      rig.tune(station.url())
      #expect(rig.playOut(within: 20))
      #expect(monotonicSeconds() - begin < 12)
      #expect(rig.names == ["connecting", "badContent", "stopped"])
    }
  }

  @Test("A dripping tag is refused; a dripping list or feed is retried", arguments: ["list", "feed", "tag"])
  func drip(kind: String) async throws {
    try await Stage.run(speed: 8) {
      let (type, head): (String, [UInt8]) =
        switch kind {
        case "list": ("audio/x-scpls", Array("[playlist]\n".utf8))
        case "feed": ("application/rss+xml", Array("<rss version=\"2.0\"><channel><title>".utf8))
        default: ("audio/mpeg", [0x49, 0x44, 0x33, 4, 0, 0, 0, 0x40, 0, 0])
        }
      let blanks = [UInt8](repeating: 0x20, count: 40_000)
      let station = try ScriptedStation([
        .head("200 OK", ["Content-Type: \(type)"]), .pace(head + blanks, perSecond: 100, burst: head.count),
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.playOut(within: 60))
      guard kind != "tag" else {
        #expect(rig.names == ["connecting", "badContent", "stopped"])
        return
      }
      #expect(rig.names.suffix(2) == ["timeoutExceeded", "stopped"] && rig.names.contains("reconnecting"))
      #expect(!rig.names.contains("badContent") && !rig.names.contains("urlNotFound"), "\(rig.names)")
      #expect(rig.radio.failure?.detail == .slowList)
    }
  }

  @Test("A slow, steady tag is awaited")
  func slowTag() async throws {
    try await Stage.run(speed: 8) {
      // 24,576 bytes as a syncsafe integer (seven bits per byte).
      let tag = [0x49, 0x44, 0x33, 4, 0, 0, 0, 1, 0x40, 0] + [UInt8](repeating: 0, count: 24_576)
      let station = try ScriptedStation([
        .live(), .pace(tag, perSecond: 1_500, burst: 0), .send(Clip.mp3(2).bytes), .stall,
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      #expect(rig.next("playing", within: 60) != nil, "\(rig.names)")
    }
  }

  @Test(
    "A picture in a tag refuses no station; the data after the tag decides",
    arguments: [false, true])
  func pictureInTag(isRefused: Bool) async throws {
    try await Stage.run {
      // Ogg page headers in a tag of 24,576 bytes.
      let page: [UInt8] = Array("OggS".utf8) + [0, 2] + [UInt8](repeating: 0, count: 58)
      let id3: [UInt8] = [0x49, 0x44, 0x33, 4, 0, 0, 0, 1, 0x40, 0]
      let tag = id3 + (0..<384).flatMap { _ in page }
      var random = SeededGenerator(13)
      // Pages with wrong checksums; 256 KB lead to a refusal.
      let ogg = (0..<800).flatMap { _ in page + random.bytes(297) }
      let sound = isRefused ? ogg : Clip.mp3(2).bytes
      let station = try ScriptedStation([
        .live(), .send(Array(tag[..<9_000])), .wait(0.1), .send(Array(tag[9_000...]) + sound), .stall,
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url())
      guard isRefused else {
        #expect(rig.next("playing", within: 5) != nil, "\(rig.names)")
        return
      }
      #expect(rig.playOut(within: 5))
      guard case .badContent(_, let message) = rig.next("badContent") else { return }
      #expect(message.contains("no audio"))
    }
  }

  @Test("A file that stalls and then sends a few bytes is not noise")
  func fewBytesAfterStall() async throws {
    try await Stage.run(speed: 8) {
      let clip = Clip.mp3(8)
      let (bytes, cut) = (clip.bytes, clip.prefix(4).bytes.count + 100)
      let station = try ScriptedStation([
        .file(bytes.count), .send(Array(bytes[..<cut])), .wait(14), .send(Array(bytes[cut..<cut + 3])), .wait(3),
        .send(Array(bytes[(cut + 3)...])),
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/song.mp3")) { $0.dataTimeout = Duration(milliseconds: 60_000) }
      #expect(rig.playOut(within: 60))
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"] && station.visits.count == 1, "\(rig.names)")
    }
  }

  @Test("A station that turns into noise is given up and retried")
  func turnsIntoNoise() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(5)
      var random = SeededGenerator(12)
      let noise = StationAction.pace(random.bytes(40_000), perSecond: 1_000, burst: 0)
      let station = try ScriptedStation { visit in
        visit.number == 0
          ? [.live(), .send(clip.bytes), noise] : [.live(), .send(Clip.long(5, seed: 2).bytes), .stall]
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.run(30) { station.visits.count == 2 })
      #expect(rig.names.contains("badContent") && rig.radio.state != .stopped)
    }
  }

  @Test(
    "An address that leads nowhere ends at once",
    arguments: [
      ("rtsp://127.0.0.1/x", "badContent"), ("http://", "urlNotFound"), ("http://[::1", "urlNotFound"),
      ("", "urlNotFound"),
      ("file:///no/such/song.mp3", "missingContent"), ("file:///", "missingContent"),
    ])
  func nowhere(url: String, event: String) async throws {
    try await Stage.run {
      let rig = try RadioRig()
      rig.tune(url)
      #expect(rig.playOut(within: 5))
      #expect(rig.names.filter { $0 != "connecting" } == [event, "stopped"])
      #expect(rig.radio.failure != nil)
    }
  }

  @Test(
    "A missing host ends at once",
    .enabled(if: LinkProbe.hasRoute() && !NameServers.denyAllNames(), "this machine has no network"))
  func unknownHost() async throws {
    try await Stage.run {
      let rig = try RadioRig()
      rig.tune("http://no-such-host.invalid:8000/live")
      #expect(rig.playOut(within: 15))
      #expect(rig.names == ["connecting", "timeoutExceeded", "stopped"])
      #expect(rig.radio.failure?.sentence.contains("no-such-host.invalid does not exist") == true)
      #expect(rig.radio.failure?.cause == .noSuchHost)
    }
  }
}
