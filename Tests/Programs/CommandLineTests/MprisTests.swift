import Foundation
import MediaSupport
import StationSupport
import TestSupport
import Testing

@testable import bakelite

@Suite(.enabled(if: SessionBus.isInstalled, SessionBus.advice)) struct MprisTests {
  private static func play(
    _ place: String, on bus: SessionBus, _ options: [String] = ["--mpris"], terminal: FileHandle? = nil
  ) throws -> Program {
    let program = try Program(
      ["play", "--output", "null"] + options + [place], environment: bus.environment, terminal: terminal)
    #expect(program.waitForError("Playing after"))
    return program
  }

  private static func song(in folder: TemporaryFolder) -> String {
    folder.write(ToneMp3.hum(6_000), to: "song.mp3")
  }

  @Test("A client on the session bus pauses, seeks and ends a file, and reads its facts")
  func file() async throws {
    try await Stage.run {
      let bus = try SessionBus()
      let program = try Self.play(Self.song(in: bus.folder), on: bus)
      #expect(bus.waitFor("Identity", "\"Bakelite\"") && bus.property("CanQuit").contains("true"))
      #expect(bus.property("SupportedUriSchemes").contains("\"https\""))
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Playing\"") && bus.property("Player.Rate").contains("double 1"))
      let metadata = bus.property("Player.Metadata")
      #expect(metadata.contains("string \"song.mp3\"") && metadata.contains("int64 216000000"), "\(metadata)")
      #expect(metadata.contains("\"file:///") && metadata.contains("object path \"/bakelite/track/1\""))
      #expect(bus.waitFor("Player.CanSeek", "true") && bus.property("Player.CanGoNext").contains("false"))
      bus.call("Player.PlayPause")
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Paused\""))
      let place = bus.position
      #expect(place > 0 && place < 60)
      let monitor = try SessionBus.Monitor(bus, "type='signal',member='Seeked'")
      bus.call("Player.Seek", "int64:20000000")
      #expect(monitor.shows("int64 "))
      #expect(abs(bus.position - place - 20) < 1)
      bus.call("Player.SetPosition", "objpath:/bakelite/track/1", "int64:90000000")
      #expect(bus.waitFor("Player.Position") { $0.contains("int64 90") || $0.contains("int64 89") })
      bus.call("Player.SetPosition", "objpath:/bakelite/track/7", "int64:1000000")
      bus.call("Player.SetPosition", "objpath:/bakelite/track/1", "int64:900000000")
      bus.call("Player.Next")
      #expect(abs(bus.position - 90) < 1, "other tracks and positions after the end have no effect")
      bus.call("Player.Play")
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Playing\""))
      #expect(bus.call("Player.OpenUri", "string:http://radio.example/").contains("NotSupported"))
      bus.call("Quit")
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  @Test("A client sets the volume, stops and plays again, and a changed property is announced")
  func orders() async throws {
    try await Stage.run {
      let bus = try SessionBus()
      let program = try Self.play(Self.song(in: bus.folder), on: bus)
      #expect(bus.waitFor("Player.Volume", "double 1"))
      let monitor = try SessionBus.Monitor(bus, "type='signal',member='PropertiesChanged'")
      bus.set("Volume", "double:0.25")
      #expect(bus.property("Player.Volume").contains("double 0.25") && monitor.shows("double 0.25"))
      #expect(bus.set("Volume", "double:-5").contains("Error") == false)
      #expect(bus.property("Player.Volume").contains("double 0"))
      #expect(bus.set("Volume", "double:nan").contains("InvalidArgs"))
      #expect(bus.set("Volume", "string:loud").contains("Error"))
      bus.call("Player.Stop")
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Stopped\"") && monitor.shows("\"Stopped\""))
      bus.call("Player.Play")
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Playing\""))
      bus.set("Rate", "double:0")
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Paused\""))
      program.interrupt()
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  @Test("A live station shows its title without secrets, and a client pauses and rewinds it")
  func live() async throws {
    try await Stage.run {
      let bus = try SessionBus()
      let clip = Clip.mp3(30)
      let station = try ScriptedStation { _ in
        let title = "Ada \u{1B}[31m\u{202E}B - Cleo"
        let bytes = Icy.interleave(clip.bytes, metaint: 4_000, titles: [(0, title)])
        return [.live("icy-name: One", "icy-metaint: 4000"), .pace(bytes, perSecond: 16_000, burst: 200_000), .stall]
      }
      defer { station.close() }
      let address = station.url().replacing("http://", with: "http://ada:secret@") + "?token=hidden"
      let program = try Self.play(address, on: bus)
      #expect(bus.waitFor("Player.Metadata", "\"Cleo\""))
      let metadata = bus.property("Player.Metadata")
      #expect(metadata.contains("\"xesam:album\"") && metadata.contains("\"Test FM\""), "\(metadata)")
      #expect(metadata.contains("\"Ada [31mB\"") && metadata.contains("\"http://127.0.0.1"), "\(metadata)")
      #expect(!metadata.contains("secret") && !metadata.contains("hidden") && !metadata.contains("mpris:length"))
      #expect(bus.waitFor("Player.Position") { _ in bus.position > 3 })
      bus.call("Player.Pause")
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Paused\""))
      let place = bus.position
      bus.call("Player.Seek", "int64:-2000000")
      #expect(bus.waitFor("Player.Position") { _ in abs(bus.position - place + 2) < 0.45 })
      bus.call("Player.SetPosition", "objpath:/bakelite/track/1", "int64:\(Int(place * 1e6) - 1_000_000)")
      #expect(bus.waitFor("Player.Position") { _ in abs(bus.position - place + 1) < 0.45 })
      program.interrupt()
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  @Test("playerctl controls a player in a terminal, and a second player gets the process number as its name")
  func terminal() async throws {
    try await Stage.run {
      let bus = try SessionBus()
      let song = Self.song(in: bus.folder)
      let terminal = try Terminal()
      let first = try Self.play(song, on: bus, [], terminal: terminal.program)
      #expect(bus.waitFor("Identity", "\"Bakelite\""))
      let second = try Self.play(song, on: bus)
      let name = SessionBus.player + ".instance\(second.identifier)"
      #expect(bus.waitFor("Identity", "\"Bakelite\"", name: name))
      bus.call("Player.Pause", name: name)
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Paused\"", name: name))
      #expect(bus.property("Player.PlaybackStatus").contains("\"Playing\""))
      if Repository.tool("playerctl") == nil {
        print("Skipped: playerctl, which is not installed")
      } else {
        #expect(bus.run("playerctl", "-p", "bakelite", "metadata", "xesam:title") == "song.mp3\n")
        _ = bus.run("playerctl", "-p", "bakelite", "pause")
        #expect(bus.waitFor("Player.PlaybackStatus", "\"Paused\""))
        _ = bus.run("playerctl", "-p", "bakelite", "position", "30")
        #expect(bus.waitFor("Player.Position") { _ in abs(bus.position - 30) < 1 })
      }
      for program in [first, second] {
        program.interrupt()
        #expect(try program.waitForEnd(within: 5).code == 0)
      }
    }
  }

  @Test("The end of the bus is reported, and playback continues")
  func end() async throws {
    try await Stage.run {
      let bus = try SessionBus()
      let socket = bus.folder.path + "/socket"
      let program = try Self.play(Self.song(in: bus.folder), on: bus, ["--mpris", "--control", socket])
      #expect(bus.waitFor("Identity", "\"Bakelite\""))
      bus.stop()
      #expect(program.waitForError("The session bus closed the connection; media keys have no effect"))
      let peer = try ControlPeer(socket)
      let place = try #require(peer.status()["position"].flatMap { Double($0) })
      #expect(peer.waitForNumber("position") { $0 > place + 1 })
      program.interrupt()
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  /// Returns true if a program has loaded libsystemd.
  static func hasLoaded(_ program: Program) throws -> Bool {
    // A read of this file returns a part.
    let maps = try #require(FileHandle(forReadingAtPath: "/proc/\(program.identifier)/maps")).readToEnd() ?? Data()
    return String(decoding: maps, as: UTF8.self).contains("libsystemd")
  }

  @Test("Without a terminal, with --no-mpris or without a bus, libsystemd is not loaded")
  func off() async throws {
    try await Stage.run {
      let bus = try SessionBus()
      let song = Self.song(in: bus.folder)
      let terminal = try Terminal()
      let programs = [
        try Self.play(song, on: bus, []), try Self.play(song, on: bus, ["--no-mpris"], terminal: terminal.program),
      ]
      let shown = try Self.play(song, on: bus)
      #expect(bus.waitFor("Identity", "\"Bakelite\""))
      #expect(try Self.hasLoaded(shown))
      #expect(try programs.allSatisfy { try !Self.hasLoaded($0) })
      bus.stop()
      let lonely = try Self.play(song, on: bus)
      #expect(lonely.waitForError("MPRIS is off, because libsystemd or the session bus is missing"))
      #expect(try !Self.hasLoaded(lonely))
      for program in programs + [shown, lonely] {
        program.interrupt()
        #expect(try program.waitForEnd(within: 5).code == 0)
      }
    }
  }

  /// A message of a bus with these lengths.
  private static func head(body: UInt32, fields: UInt32 = 0) -> [UInt8] {
    let numbers = [body, 1, fields].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    return [UInt8(ascii: "l"), 4, 1, 1] + numbers
  }

  static let hostile: [(String, [UInt8], String)] = [
    ("no bus", Array("HTTP/1.1 200 OK\r\n\r\n".utf8), "refused"),
    ("an endless reply", [UInt8](repeating: 65, count: 5_000), "sent too many or too long messages"),
    (
      "a long message", Array("OK 0123456789abcdef0123456789abcdef\r\n".utf8) + head(body: 1 << 26), "too long messages"
    ),
    (
      "a flood", Array("OK 0123456789abcdef0123456789abcdef\r\n".utf8) + (0..<2_000).flatMap { _ in head(body: 0) },
      "session bus"
    ),
  ]

  @Test("A hostile bus loses its player, and playback continues", arguments: hostile)
  func hostileBus(name: String, bytes: [UInt8], words: String) async throws {
    try await Stage.run {
      let bus = try FakeBus { connection in
        _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while recv(connection, &buffer, buffer.count, 0) > 0 {}
      }
      let folder = TemporaryFolder()
      let program = try Program(
        ["play", "--output", "null", "--mpris", Self.song(in: folder)],
        environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
      #expect(program.waitForError("Playing after") && program.waitForError(words), "\(program.errorsSoFar)")
      program.interrupt()
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  @Test("A bus that never answers delays neither playback nor the end")
  func silentBus() async throws {
    try await Stage.run {
      let bus = try FakeBus { connection in
        var watch = pollfd(fd: connection, events: 0, revents: 0)
        _ = poll(&watch, 1, 20_000)
      }
      let folder = TemporaryFolder()
      let program = try Program(
        ["play", "--output", "null", "--mpris", Self.song(in: folder)],
        environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
      #expect(program.waitForError("Playing after"))
      program.interrupt()
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }
}
