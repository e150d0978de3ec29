import Foundation
import MediaSupport
import StationSupport
import TestSupport
import Testing

@Suite struct SnapcastTests {
  private static func house(_ socket: String, in folder: TemporaryFolder) throws -> SnapcastHouse {
    let program = Program.folder.appendingPathComponent("bakelite").path
    folder.write(Array("#!/bin/sh\nexec '\(program)' snapcast --socket '\(socket)' \"$@\"\n".utf8), to: "script")
    chmod(folder.path + "/script", 0o755)
    return try SnapcastHouse(script: folder.path + "/script")
  }

  private static func station(_ title: String) throws -> ScriptedStation {
    let clip = Clip.mp3(30)
    return try ScriptedStation { visit in
      let text = visit.path == "/one" ? title : "Other Artist - Other Song"
      let bytes = Icy.interleave(clip.bytes, metaint: 4_000, titles: [(0, text)])
      return [.live("icy-metaint: 4000"), .pace(bytes, perSecond: clip.byteRate, burst: 64_000), .stall]
    }
  }

  @Test(
    "Title, state and volume reach a real server, and its commands the radio, over restarts of both",
    .enabled(if: SnapcastHouse.isHere, "needs snapserver and snapclient"))
  func realServer() async throws {
    try await Stage.run {
      let station = try Self.station("The \"Band\" - A \u{1B}[2J song \\ of\tquotes")
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one")), ("Two", station.url("/two"))])
      let folder = TemporaryFolder()
      let house = try Self.house(box.socket, in: folder)
      #expect(house.propertiesBecome { $0.playback == "stopped" && $0.flags == [false] })
      try box.start("snapcast:\(house.pipe)")
      #expect(box.manager.receives("STATUS=playing: One"))
      #expect(house.propertiesBecome { $0.title == "A [2J song \\ of quotes" && $0.artist == ["The \"Band\""] })
      #expect(house.propertiesBecome { $0.name == "One" && $0.playback == "playing" && $0.flags == [true] })
      #expect(house.valueBecomes("status", "playing"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("setvol 23") == [] && house.propertiesBecome { $0.volume == 23 })
      #expect(house.set("volume", "31") == "ok" && peer.waitForNumber("volume") { $0 == 31 })

      #expect(house.control("pause") == "ok" && peer.waitForValue("paused"))
      #expect(house.propertiesBecome { $0.playback == "paused" } && house.valueBecomes("status", "idle"))
      #expect(house.control("playPause") == "ok" && peer.waitForValue("playing"))
      #expect(house.control("seek", #"{"offset":-1.5}"#) == "ok")
      #expect(house.control("setPosition", #"{"position":1}"#)?.contains("A live station has no position") == true)
      #expect(house.control("next") == "ok" && house.propertiesBecome { $0.title == "Other Song" && $0.name == "Two" })
      #expect(house.control("previous") == "ok" && house.propertiesBecome { $0.artist == ["The \"Band\""] })
      #expect(house.control("stop") == "ok" && house.propertiesBecome { $0.playback == "stopped" && $0.title == nil })
      #expect(house.control("play") == "ok" && house.propertiesBecome { $0.playback == "playing" && $0.title != nil })

      house.stop()
      try house.start()
      #expect(house.propertiesBecome { $0.title == "A [2J song \\ of quotes" && $0.volume == 31 })

      #expect(try box.switchOff().code == 0)
      #expect(house.propertiesBecome { $0.playback == "stopped" && $0.flags == [false] && $0.title == nil })
      #expect(house.control("play") != "ok")
      try box.start("snapcast:\(house.pipe)")
      #expect(house.propertiesBecome { $0.playback == "playing" && $0.flags == [true] && $0.title != nil })
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test(
    "A real server accepts the packaged configuration",
    .enabled(if: SnapcastHouse.isHere, "needs snapserver and snapclient"))
  func configuration() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let path = Repository.root + "/config/snapcast/etc/snapserver.conf"
      folder.write(Array("#!/bin/sh\n".utf8), to: "script")
      chmod(folder.path + "/script", 0o755)
      var text = try String(contentsOfFile: path, encoding: .utf8)
      text.replace("pipe:///run/bakelite-snapcast/feed", with: "pipe://\(folder.path)/feed")
      text.replace("controlscript=bakelite-control", with: "controlscript=\(folder.path)/script")
      let house = try SnapcastHouse(settings: text)
      let stream = try #require(house.stream)
      let query = (stream["uri"] as? [String: Any])?["query"] as? [String: Any]
      #expect(query?["codec"] as? String == "flac" && query?["sampleformat"] as? String == "48000:16:2")
      #expect(query?["mode"] as? String == "read" && stream["id"] as? String == "Bakelite")
    }
  }

  // MARK: In the server's place

  /// The control script with a pipe as its input.
  private final class Script {
    let folder = TemporaryFolder()
    let program: Program
    private let input: Int32

    init(socket: String? = nil) throws {
      let pipe = folder.path + "/requests"
      mkfifo(pipe, 0o600)
      // Opening for both directions does not block until the other end opens.
      input = open(pipe, O_RDWR | O_CLOEXEC)
      program = try Program(
        ["snapcast", "--socket", socket ?? folder.path + "/socket", "--stream=Bakelite", "--snapcast-port=1780"],
        by: ["/bin/sh", "-c", "exec \"$@\" <\"$0\"", pipe])
    }

    func send(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(input, $0.baseAddress, $0.count) } }

    /// Closes the input. Returns the written lines and the seconds until the program ended.
    func finish() throws -> (lines: [String], outcome: Program.Outcome, seconds: Double) {
      let start = monotonicSeconds()
      close(input)
      let outcome = try program.waitForEnd(within: 5)
      return (outcome.outputText.split(separator: "\n").map { String($0) }, outcome, monotonicSeconds() - start)
    }
  }

  private static let question = #"{"id":1,"jsonrpc":"2.0","method":"Plugin.Stream.Player.GetProperties"}"# + "\n"
  private static let ready = #"{"jsonrpc":"2.0","method":"Plugin.Stream.Ready"}"#

  @Test("Without a radio the script replies, reports that once, rarely wakes, and ends with its input")
  func alone() async throws {
    try await Stage.run {
      let script = try Script()
      script.send(Self.question)
      #expect(script.program.waitForError("No radio answers at"))
      #expect(script.program.waitForOutput(Self.ready.utf8.count + 100))
      #expect(script.program.wakeRate(over: 3) < 10)
      let (lines, outcome, seconds) = try script.finish()
      #expect(outcome.code == 0 && lines.count == 2 && lines.first == Self.ready && seconds < 2)
      #expect(lines.last?.contains(#""result":{"playbackStatus":"stopped","#) == true)
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
  }

  @Test("Overlong lines and invalid text are refused; later lines are answered")
  func hostile() async throws {
    try await Stage.run {
      let script = try Script()
      script.send(String(repeating: "[", count: 40_000) + "\n" + "\u{0}\u{1}\u{FFFD}\n\n" + Self.question)
      #expect(script.program.waitForOutput(400))
      let (lines, outcome, _) = try script.finish()
      #expect(outcome.code == 0 && lines.count == 4)
      #expect(lines.dropFirst().prefix(2).allSatisfy { $0.contains("-32700") })
      #expect(lines.last?.contains(#""id":1,"result":"#) == true)
    }
  }

  @Test("A stalled radio does not delay the end")
  func frozenRadio() async throws {
    try await Stage.run {
      let station = try Self.station("A - B")
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one"))])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      let script = try Script(socket: box.socket)
      #expect(script.program.waitForOutput(Self.ready.utf8.count + 200))
      let radio = try #require(box.program)
      radio.signal(SIGSTOP)
      script.send(
        #"{"id":1,"jsonrpc":"2.0","method":"Plugin.Stream.Player.Control","params":{"command":"stop"}}"# + "\n")
      script.send(Self.question)
      #expect(script.program.waitForOutput(Self.ready.utf8.count + 400, within: 5))
      let (lines, outcome, seconds) = try script.finish()
      #expect(outcome.code == 0 && lines.last?.contains(#""id":1,"result":{"playbackStatus":"playing""#) == true)
      #expect(seconds < 2)
      radio.signal(SIGCONT)
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("An idle radio causes no wake-ups, and a missing server ends the script")
  func rest() async throws {
    try await Stage.run {
      let station = try Self.station("A - B")
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one"))])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      let script = try Script(socket: box.socket)
      #expect(script.program.waitForOutput(Self.ready.utf8.count + 200))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("pause 1") == [] && peer.waitForValue("paused"))
      #expect(script.program.wakeRate(over: 2) < 5)
      script.program.closeOutput()
      #expect(peer.request("setvol 12") == [])
      #expect(try script.program.waitForEnd(within: 5).code == 0)
      #expect(try box.switchOff().code == 0)
    }
  }
}

private struct StreamFacts {
  let title: String?
  let artist: [String]?
  let name: String?
  let playback: String?
  let volume: Int?
  /// Distinct values of the player's capabilities.
  let flags: Set<Bool>

  init(_ properties: [String: Any]) {
    let metadata = properties["metadata"] as? [String: Any]
    title = metadata?["title"] as? String
    artist = metadata?["artist"] as? [String]
    name = metadata?["name"] as? String
    playback = properties["playbackStatus"] as? String
    volume = properties["volume"] as? Int
    flags = Set(
      ["canControl", "canPlay", "canPause", "canGoNext", "canGoPrevious"].compactMap { properties[$0] as? Bool })
  }
}

extension SnapcastHouse {
  fileprivate var stream: [String: Any]? {
    let result = request("Server.GetStatus")?["result"] as? [String: Any]
    let server = result?["server"] as? [String: Any]
    return (server?["streams"] as? [[String: Any]])?.first
  }

  fileprivate func propertiesBecome(_ isSo: (StreamFacts) -> Bool) -> Bool {
    let end = monotonicSeconds() + 10
    while monotonicSeconds() < end {
      if let properties = stream?["properties"] as? [String: Any], isSo(StreamFacts(properties)) { return true }
      usleep(20_000)
    }
    Issue.record("the server tells: \(String(describing: stream?["properties"]))")
    return false
  }

  fileprivate func valueBecomes(_ key: String, _ value: String) -> Bool {
    let end = monotonicSeconds() + 10
    while stream?[key] as? String != value {
      guard monotonicSeconds() < end else { return false }
      usleep(20_000)
    }
    return true
  }

  /// Sends a command for the stream. Returns "ok" or the error.
  fileprivate func control(_ command: String, _ parameters: String? = nil) -> String? {
    let more = parameters.map { #","params":\#($0)"# } ?? ""
    return outcome(request("Stream.Control", #"{"id":"Bakelite","command":"\#(command)"\#(more)}"#))
  }

  fileprivate func set(_ property: String, _ value: String) -> String? {
    outcome(request("Stream.SetProperty", #"{"id":"Bakelite","property":"\#(property)","value":\#(value)}"#))
  }

  private func outcome(_ answer: [String: Any]?) -> String? {
    answer?["result"] as? String ?? (answer?["error"] as? [String: Any])?["message"] as? String
  }
}
