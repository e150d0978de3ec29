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
      #expect(metadata.contains("\"Ada [31mB\"") && metadata.contains("\"http://127.0.0.1"), "\(metadata)")
      #expect(!metadata.contains("secret") && !metadata.contains("hidden") && !metadata.contains("mpris:length"))
      #expect(bus.waitFor("Player.Position") { _ in bus.position > 3 })
      bus.call("Player.Pause")
      #expect(bus.waitFor("Player.PlaybackStatus", "\"Paused\""))
      let place = bus.position
      bus.call("Player.Seek", "int64:-2000000")
      #expect(bus.waitFor("Player.Position") { _ in abs(bus.position - place + 2) < 0.2 })
      bus.call("Player.SetPosition", "objpath:/bakelite/track/1", "int64:\(Int(place * 1e6) - 1_000_000)")
      #expect(bus.waitFor("Player.Position") { _ in abs(bus.position - place + 1) < 0.2 })
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
  private static func hasLoaded(_ program: Program) throws -> Bool {
    try String(contentsOfFile: "/proc/\(program.identifier)/maps", encoding: .utf8).contains("libsystemd")
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

@Suite struct MprisValueTests {
  @Test(
    "Only Unix sockets of a bus address are used",
    arguments: [
      ("unix:path=/run/user/1000/bus", ["/run/user/1000/bus"]),
      ("unix:abstract=/tmp/dbus-1,guid=0123", ["@/tmp/dbus-1"]),
      ("tcp:host=a,port=1;unix:guid=1,path=/a%20b;unix:path=/c", ["/a b", "/c"]),
      ("unixexec:path=/bin/sh", []), ("unix:path=relative", []), ("unix:path=/a%0", []), ("unix:path=/a%00b", []),
      ("unix:path=/a%FF", []), ("autolaunch:", []), (";;", []),
    ])
  func addresses(text: String, sockets: [String]) {
    #expect(BusAddress(text)?.sockets ?? [] == sockets)
  }

  @Test("Without an address, the bus is in the folder for run-time files")
  func defaultAddress() {
    func sockets(_ environment: [String: String]) -> [String]? { BusAddress { environment[$0] }?.sockets }
    #expect(sockets(["XDG_RUNTIME_DIR": "/run/user/1"]) == ["/run/user/1/bus"])
    #expect(sockets(["XDG_RUNTIME_DIR": "/run/user/1", "DBUS_SESSION_BUS_ADDRESS": ""]) == ["/run/user/1/bus"])
    #expect(sockets(["XDG_RUNTIME_DIR": "/run/user/1", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/b"]) == ["/b"])
    #expect(sockets(["XDG_RUNTIME_DIR": "relative"]) == nil && sockets([:]) == nil)
  }

  private static let signIn = Array("OK 0123\r\nAGREE_UNIX_FD\r\n".utf8)

  private static func message(body: UInt32, fields: UInt32, isBig: Bool = false) -> [UInt8] {
    let numbers = [body, 7, fields].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> ((isBig ? 3 - $0 : $0) * 8)) }
    }
    let size = Int(body) + (Int(fields) + 7) / 8 * 8
    return [UInt8(ascii: isBig ? "B" : "l"), 1, 0, 1] + numbers + [UInt8](repeating: 108, count: min(size, 100_000))
  }

  @Test("Messages pass in any pieces, in both byte orders", arguments: [1, 3, 15, 16, 17, 1_000])
  func pieces(size: Int) {
    let stream = Self.signIn + Self.message(body: 65_000, fields: 13) + Self.message(body: 0, fields: 1, isBig: true)
    var (filter, rest) = (BusFilter(), (stream + Self.message(body: 5, fields: 0, isBig: true))[...])
    while !rest.isEmpty {
      let isPassed = filter.passes(rest.prefix(size), at: 1)
      #expect(isPassed)
      rest = rest.dropFirst(size)
    }
  }

  static let refused: [(String, [UInt8])] = [
    ("a long body", message(body: 65_537, fields: 0)), ("long fields", message(body: 0, fields: 65_537)),
    ("the largest lengths", Array(message(body: 0, fields: 0)[..<4]) + [UInt8](repeating: 255, count: 12)),
    ("another byte order", message(body: 0, fields: 0) + [UInt8](repeating: 0, count: 16)),
    ("a reply without end", [UInt8](repeating: 65, count: 1_025)),
  ]

  @Test("A bus that exceeds a limit is refused", arguments: refused)
  func limits(name: String, bytes: [UInt8]) {
    var filter = BusFilter()
    let isPassed = filter.passes(bytes[...], at: 1)
    #expect(!isPassed)
  }

  @Test("A flood of messages is refused, and the allowance returns with time")
  func flood() {
    var filter = BusFilter()
    let messages = Array(repeatElement(Self.message(body: 0, fields: 0), count: 256).joined())
    let arePassed = [(256, 1.0), (64, 2), (65, 3)].map { filter.passes(messages[..<($0 * 16)], at: $1) }
    #expect(arePassed == [true, true, false])
  }

  @Test("Status and volume are announced at once, and titles at most once a second")
  func changes() {
    var (changes, state) = (MprisChanges(), MprisState())
    #expect(changes.due(state, at: 0) == [])
    state.track.title = "A"
    state.volume = 0.5
    #expect(changes.due(state, at: 0) == [.metadata, .volume])
    state.track.title = "B"
    state.abilities.seeks = true
    #expect(changes.due(state, at: 0.9) == [])
    state.volume = 0.4
    #expect(changes.due(state, at: 0.95) == .volume)
    state.track.title = "C"
    #expect(changes.due(state, at: 1) == [.metadata, .abilities])
    state.track.title = "D"
    #expect(changes.due(state, at: 1.5) == [])
    state.track.title = "C"
    #expect(changes.due(state, at: 2.5) == [], "the announced title returned")
  }

  @Test("A title on the bus is short, and has no zeros or control characters")
  func texts() {
    #expect(MprisState.clean("A\0B\u{7}C\nD") == "ABC D")
    #expect(MprisState.clean(String(repeating: "\u{1F600}", count: 2_000)).utf8.count <= 1_023)
  }
}
