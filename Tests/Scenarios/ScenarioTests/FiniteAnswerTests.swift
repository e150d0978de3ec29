import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// A finite response that may or may not be a file (R1.5).
@Suite struct FiniteAnswerTests {
  private static func head(_ byteCount: Int, _ more: String...) -> StationAction {
    .head("200 OK", ["Content-Type: audio/mpeg", "Content-Length: \(byteCount)"] + more)
  }

  private static func file(_ clip: Clip) -> [StationAction] { [head(clip.bytes.count), .send(clip.bytes)] }

  @Test("A response faster than real time that ends at its length is a file, requested once (R1.5)")
  func arrivesFast() async throws {
    try await Stage.run {
      let clip = Clip.mp3(6)
      let station = try ScriptedStation(Self.file(clip))
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/song.mp3"))
      #expect(rig.playOut())
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"], "\(rig.names)")
      #expect(rig.events.last?.event == .stopped(.end))
      #expect(!rig.names.contains("reconnecting") && station.visits.count == 1)
      guard case .fileComplete(let heard) = rig.next("fileComplete") else { return }
      #expect(abs(heard - clip.duration) < 0.001)
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
    }
  }

  static let modes: [(headers: String, mode: StationRequest.Mode, isLive: Bool)] = [
    ("length, ranges", .automatic, false), ("length", .automatic, true), ("ranges", .automatic, true),
    ("", .automatic, true), ("length, ranges, icy", .automatic, true), ("length, icy", .automatic, true),
    ("icy", .automatic, true),
    ("length, ranges", .live, true), ("length, ranges, icy", .live, true), ("", .live, true),
    ("length, ranges", .file, false), ("length", .file, false), ("length, ranges, icy", .file, false),
    ("", .file, false), ("icy", .file, false),
  ]

  @Test("A length with ranges and without station headers is a file, unless set otherwise (R1.5)", arguments: modes)
  func mode(headers: String, mode: StationRequest.Mode, isLive: Bool) async throws {
    try await Stage.run {
      let clip = Clip.mp3(6)
      let fields = [
        ("length", "Content-Length: \(clip.bytes.count)"), ("ranges", "Accept-Ranges: bytes"), ("icy", "icy-name: FM"),
      ]
      let told = ["Content-Type: audio/mpeg"] + fields.filter { headers.contains($0.0) }.map(\.1)
      let end = Gate()
      let most = Array(clip.bytes.dropLast(2_000))
      let station = try ScriptedStation([
        .head("200 OK", told), .send(most), .gate(end), .send(Array(clip.bytes.suffix(2_000))),
      ])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/song.mp3")) {
        $0.mode = mode
        $0.retry = .times(0)
      }
      #expect(rig.next("playing") != nil)
      #expect(rig.radio.status.facts?.isLive == isLive)
      end.open()
      #expect(rig.playOut())
      if !isLive { #expect(rig.names.contains("fileComplete")) }
    }
  }

  @Test("A file longer than a station's maximum lead is recognised, even on a slow line")
  func isSlowed() async throws {
    try await Stage.run(speed: 8) {
      let clip = Clip.long(150)
      let station = try ScriptedStation { visit in
        visit.path == "/fast"
          ? Self.file(clip)
          : [Self.head(clip.bytes.count), .audio(clip, speed: 3)]
      }
      defer { station.close() }
      for path in ["/fast", "/slow"] {
        let rig = try RadioRig(isPaced: true)
        rig.tune(station.url(path))
        #expect(rig.playOut(within: 200))
        #expect(rig.names.suffix(2) == ["fileComplete", "stopped"], "\(rig.names)")
        #expect(station.visits.count { $0.path == path } == 1)
      }
    }
  }

  @Test("The configured part is downloaded at full speed", arguments: [(0.0, 15.0, 30.0), (60, 52, 75)])
  func throttle(bypass: Double, least: Double, most: Double) async throws {
    try await Stage.run {
      let clip = Clip.long(150)
      let station = try ScriptedStation(Self.file(clip))
      defer { station.close() }
      var settings = RadioSettings()
      settings.throttleBypass = StreamTime(seconds: bypass)
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url("/song.mp3"))
      try #require(rig.next("playing") != nil)
      #expect(rig.run { rig.radio.status.held > least }, "\(rig.radio.status.held)")
      rig.run(for: 1)
      #expect(rig.radio.status.held < most)
    }
  }

  @Test("A file is downloaded at its own bit rate after the prebuffer (R2.3)", arguments: [(0.0, 3.0), (12, 12)])
  func fileThrottle(bypass: Double, lead: Double) async throws {
    try await Stage.run(speed: 2) {
      let clip = Clip.long(150)
      let station = try ScriptedStation(FileServer(clip.bytes))
      defer { station.close() }
      var settings = RadioSettings()
      settings.throttleBypass = StreamTime(seconds: bypass)
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url("/song.mp3"))
      try #require(rig.next("playing") != nil)
      #expect(rig.run { rig.radio.status.held > lead - 0.2 }, "\(rig.radio.status.held)")
      // About 64 KB are in transit when the transfer pauses.
      let margin = 3 * 65_536 / clip.byteRate
      for _ in 0..<4 {
        rig.run(for: 1)
        let held = rig.radio.status.held
        #expect(rig.holdsUnlessLate(held > lead - 1.5 && held < lead + margin), "\(held) s are held")
      }
      let delivered = Double(station.deliveredByteCount) / clip.byteRate
      #expect(delivered < 100, "\(delivered) s of 150 were sent")
    }
  }

  @Test("A station with a length and real-time pace is retried")
  func arrivesInRealTime() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(100)
      let broadcast = Broadcast(clip, burst: 2)
      let station = try ScriptedStation { visit in
        let acts = broadcast.actions(visit, for: 30)
        guard case .pace(let bytes, _, _)? = acts.first else { return [] }
        return [Self.head(bytes.count)] + acts
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.run(90) { station.visits.count == 2 })
      #expect(!rig.names.contains("fileComplete") && rig.radio.state != .stopped)
    }
  }

  @Test(
    "A response repeated with the same bytes is a file, at any pace", arguments: ["length", "chunks"])
  func playsTwice(end: String) async throws {
    try await Stage.run(speed: 2) {
      let clip = Clip.long(12)
      let station = try ScriptedStation { _ in
        if end == "length" { return [Self.head(clip.bytes.count), .audio(clip)] }
        let size = String(clip.bytes.count, radix: 16)
        return [
          .head("200 OK", ["Content-Type: audio/mpeg", "Transfer-Encoding: chunked"]), .text("\(size)\r\n"),
          .send(clip.bytes), .text("\r\n0\r\n\r\n"),
        ]
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.playOut(within: 60))
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"], "\(rig.names)")
      #expect(station.visits.count == 2)
    }
  }

  @Test("A station's own headers override any length")
  func isStation() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(4)
      let station = try ScriptedStation { _ in
        [Self.head(clip.bytes.count, "icy-name: Test FM"), .send(clip.bytes)]
      }
      defer { station.close() }
      let rig = try RadioRig(isPaced: true)
      rig.tune(station.url())
      #expect(rig.run(40) { station.visits.count == 4 })
      #expect(rig.radio.state != .stopped)
    }
  }

  @Test("Files of a list on such a server play without a gap")
  func list() async throws {
    try await Stage.run {
      let clips = [Clip.mp3(3), Clip.aac(3), Clip.mp3(2, from: 100)]
      let station = try ScriptedStation { visit in
        if visit.path == "/list.m3u" {
          return StationAction.response("200 OK", "/0\n/1\n/2\n", type: "audio/x-mpegurl")
        }
        return Self.file(clips[Int(visit.path.dropFirst()) ?? 0])
      }
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url("/list.m3u"))
      #expect(rig.playOut())
      #expect(station.visits.map(\.path) == ["/list.m3u", "/0", "/1", "/2"])
      #expect(rig.events("itemBegan").count == 3 && rig.events("fileComplete").count == 3, "\(rig.names)")
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clips.flatMap { $0.pcm() }) == nil)
    }
  }

  @Test("A long pause of such a file resumes at its position")
  func pausedForLong() async throws {
    try await Stage.run(speed: 8) {
      let clip = Clip.long(60)
      let station = try ScriptedStation(Self.file(clip))
      defer { station.close() }
      var settings = RadioSettings.bench
      settings.pauseTimeout = Duration(milliseconds: 5_000)
      let rig = try RadioRig(settings, isPaced: true)
      rig.tune(station.url())
      try #require(rig.next("playing") != nil)
      rig.run(for: 3)
      rig.radio.pause()
      rig.run(for: 15)
      rig.radio.resume()
      #expect(rig.run { rig.radio.status.isAudioPlaying } && rig.run { rig.radio.state == .playing })
      #expect(rig.playOut(within: 100))
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"] && station.visits.count == 1, "\(rig.names)")
    }
  }

  @Test(
    "Python's web server sends a file that ends",
    .enabled(if: Repository.tool("python3") != nil, "python3 is not installed"))
  func pythonServer() async throws {
    try await Stage.run {
      let clip = Clip.mp3(8)
      let server = try PythonServer([("song.mp3", clip.bytes)])
      defer { server.close() }
      let rig = try RadioRig()
      rig.tune(server.url("/song.mp3"))
      #expect(rig.playOut())
      #expect(rig.names.suffix(2) == ["fileComplete", "stopped"], "\(rig.names)")
      _ = rig.radio.close()
      #expect(difference(rig.pcm, clip.pcm()) == nil)
      #expect(server.requestCount == 1)
    }
  }
}

/// `python3 -m http.server` for a folder: states lengths, but supports no ranges.
private final class PythonServer {
  private let folder = TemporaryFolder()
  private let process = Process()
  private let (told, log) = (Pipe(), Pipe())
  private var port = ""

  init(_ files: [(name: String, bytes: [UInt8])]) throws {
    for file in files { folder.write(file.bytes, to: file.name) }
    guard let python = Repository.tool("python3") else { throw POSIXError(.ENOENT) }
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder.path]
    (process.standardOutput, process.standardError) = (told, log)
    try process.run()
    let words = String(decoding: told.fileHandleForReading.availableData, as: UTF8.self).split(separator: " ")
    guard let place = words.firstIndex(of: "port"), place + 1 < words.count else { throw POSIXError(.ECONNREFUSED) }
    port = String(words[place + 1])
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// SIGKILL, because a thread of the test library may have blocked all other signals for child processes.
  func close() { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Stops the server and returns the number of its requests.
  var requestCount: Int {
    close()
    let text = String(decoding: log.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return text.split(separator: "\n").count { $0.contains("\"GET ") }
  }
}
