import Foundation
import StationSupport
import TestSupport
import Testing

/// Tests the box's side of the web panel: switching it on and off, and the sign-in code (W3).
@Suite struct BoxWebTests {
  private static func start(_ box: Box) throws {
    try box.start("null", environment: ["RUNTIME_DIRECTORY": box.folder.path + "/run"])
  }

  private static func isFlagged(_ box: Box) -> Bool {
    FileManager.default.fileExists(atPath: box.folder.path + "/run/web")
  }

  /// Starts a box and waits until it plays. `more` is appended to the settings.
  private static func playing(_ settings: String = "", more: String = "") throws -> (ScriptedStation, Box) {
    let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
    let box = try Box(settings, stations: [("One", station.url("/one"))])
    box.folder.write(box.folder.bytes(of: "bakelite.toml") + Array(more.utf8), to: "bakelite.toml")
    try FileManager.default.createDirectory(atPath: box.folder.path + "/run", withIntermediateDirectories: true)
    try start(box)
    #expect(box.manager.receives("STATUS=playing: One"))
    return (station, box)
  }

  /// The sign-in code for the web panel; nil if there is no code.
  private static func code(_ peer: ControlPeer) -> String? {
    peer.request("radio_web")?.first { $0.hasPrefix("code: ") }.map { String($0.dropFirst(6)) }
  }

  @Test("The panel, switched on at run time, has a code on the display until the first sign-in (W3)")
  func switchedOn() async throws {
    try await Stage.run {
      let (station, box) = try Self.playing()
      defer { station.close() }
      let (peer, idle) = (try ControlPeer(box.socket), try ControlPeer(box.socket))
      #expect(Self.code(peer) == nil && !Self.isFlagged(box) && peer.request("radio_web")?.first == "enabled: 0")
      idle.send(Array("idle options\n".utf8))
      #expect(peer.request("radio_setting web.enabled true") == ["applies: now", "web.enabled: true"])
      #expect(idle.waitForReceived("changed: options\nOK\n"))
      let code = try #require(Self.code(peer))
      #expect(Self.isFlagged(box) && peer.waitForDisplay("Code: \(code)") && peer.waitForDisplay(".local"))
      #expect(box.fileBecomes("web-code") { $0.contains("code=\(code)\nused=no\n") })
      #expect(peer.request("radio_setting web.read_only true")?.first == "applies: now")
      #expect(peer.request("radio_web")?.contains("read_only: 1") == true && Self.code(peer) == code)
      #expect(peer.request("radio_web login") == [])
      #expect(peer.request("radio_display")?.contains { $0.contains(code) } == false)
      #expect(try box.switchOff().code == 0)
      try Self.start(box)
      #expect(box.manager.receives("STATUS=playing: One"))
      let again = try ControlPeer(box.socket)
      #expect(Self.code(again) == code && Self.isFlagged(box))
      #expect(again.request("radio_display")?.contains { $0.contains(code) } == false)
      #expect(again.request("radio_setting web.enabled false")?.first == "applies: now")
      #expect(Self.code(again) == nil && !Self.isFlagged(box) && box.fileBecomes("web-code") { $0.isEmpty })
      #expect(try box.switchOff().code == 0)
      #expect(!FileManager.default.fileExists(atPath: box.folder.path + "/web-code"))
    }
  }

  @Test("The menu switches the panel on, and a press hides the code (W3)")
  func menu() async throws {
    try await Stage.run {
      let (station, box) = try Self.playing()
      defer { station.close() }
      let peer = try ControlPeer(box.socket)
      func row(_ words: String) -> Bool { peer.request("radio_display")?.contains { $0.contains(words) } == true }
      func goToEntry() {
        #expect(peer.request("radio_press menu") == [])
        for _ in 0..<20 where !row("→Web panel") { #expect(peer.request("radio_turn 1") == []) }
      }
      goToEntry()
      for command in ["radio_press select", "radio_turn 1", "radio_press select"] {
        #expect(peer.request(command) == [])
      }
      let code = try #require(Self.code(peer))
      #expect(peer.waitForDisplay("Code: \(code)") && Self.isFlagged(box))
      #expect(peer.request("radio_press select") == [] && !row(code) && row("One"))
      goToEntry()
      #expect(
        peer.request("radio_press select") == [] && peer.request("radio_press select") == [] && row("Code: \(code)"))
      #expect(try box.switchOff().code == 0)
      let owner = String(decoding: box.folder.bytes(of: "owner.toml"), as: UTF8.self)
      #expect(owner.contains("[web]\nenabled = true"), "\(owner)")
    }
  }

  @Test("A TCP client sees the display without the code (W3)")
  func overTcp() async throws {
    try await Stage.run {
      let port = try Loopback.freePort()
      // `more` belongs to [control], the last section of the settings.
      let (station, box) = try Self.playing("[web]\nenabled = true\n", more: "listen = \"127.0.0.1:\(port)\"\n")
      defer { station.close() }
      let (peer, other) = (try ControlPeer(box.socket), try ControlPeer(port: port))
      let code = try #require(Self.code(peer))
      #expect(peer.waitForDisplay("Code: \(code)"))
      #expect(other.waitForDisplay("Code: ********") && Self.code(other) == nil)
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("An owner's password replaces the code, and reread settings apply (W3)")
  func password() async throws {
    try await Stage.run {
      let (station, box) = try Self.playing(
        "[web]\nenabled = true\npassword_file = \"/etc/hash\"\nlisten = \"127.0.0.1:8080\"\n")
      defer { station.close() }
      let peer = try ControlPeer(box.socket)
      #expect(Self.code(peer) == nil && peer.request("radio_web")?.contains("password_file: /etc/hash") == true)
      #expect(box.fileBecomes("run/web") { $0 == "127.0.0.1:8080\n" })
      #expect(
        peer.request("radio_setting web.password_file x")?.first?.contains("stands in bakelite.toml alone") == true)
      let told = try Program.run("ctl", "--socket", box.socket, "web")
      #expect(told.code == 0 && told.outputText.contains("listen: 127.0.0.1:8080\n"))
      let settings = String(decoding: box.folder.bytes(of: "bakelite.toml"), as: UTF8.self)
      box.folder.write(Array(settings.replacing("password_file", with: "#").utf8), to: "bakelite.toml")
      #expect(peer.request("radio_reload")?.contains { $0.hasPrefix("problem") } == false)
      let code = try #require(Self.code(peer))
      #expect(peer.waitForDisplay(code))
      #expect(try box.switchOff().code == 0)
    }
  }
}
