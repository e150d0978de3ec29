import Foundation
import Network
import StationSupport
import TestSupport
import Testing

/// Where the box is reached, and by whom (D13, D16).
@Suite struct BoxAccessTests {
  @Test("The box refuses to start with a password that everybody or nobody can read")
  func password() async throws {
    try await Stage.run {
      for (control, words) in [
        ("listen = \"0.0.0.0:6699\"", "name a password_file"),
        ("listen = \"0.0.0.0:6699\"\npassword_file = \"/nonexistent\"", "/nonexistent: it cannot be read"),
        ("listen = \"0.0.0.0:6699\"\npassword_file = \"/dev/null\"", "it is no file"),
      ] {
        let box = try Box()
        let text = String(decoding: box.folder.bytes(of: "bakelite.toml"), as: UTF8.self)
        box.folder.write(Array((text + control + "\n").utf8), to: "bakelite.toml")
        let end = try box.start("null").waitForEnd(within: 5)
        #expect(end.code == 2 && end.errors.contains(words), "\(end.errors)")
      }
    }
  }

  @Test("The password may be a credential of the service manager (LoadCredential=)")
  func credential() async throws {
    try await Stage.run {
      let box = try Box()
      let text = String(decoding: box.folder.bytes(of: "bakelite.toml"), as: UTF8.self)
      let control = "password_file = \"bakelite.password\"\n"
      box.folder.write(Array((text + control).utf8), to: "bakelite.toml")
      let none = try box.start("null").waitForEnd(within: 5)
      #expect(none.code == 2 && none.errors.contains("bakelite.password: it names a credential, but the"))
      let environment = ["CREDENTIALS_DIRECTORY": box.folder.path + "/credentials"]
      let missing = try box.start("null", environment: environment).waitForEnd(within: 5)
      #expect(missing.code == 2 && missing.errors.contains("/credentials/bakelite.password: it cannot be read"))
      try FileManager.default.createDirectory(
        atPath: box.folder.path + "/credentials", withIntermediateDirectories: true)
      box.folder.write(Array("sesame\n".utf8), to: "credentials/bakelite.password")
      try box.start("null", environment: environment)
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      #expect(
        peer.request("password wrong")?.first?.hasPrefix("ACK [3@0]") == true && peer.request("password sesame") == [])
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A station's name and password may be a credential too")
  func stationCredential() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box()
      box.folder.write(
        Array("[[station]]\nname = \"One\"\nurl = \"\(station.url())\"\nuser = \"@one\"\n".utf8), to: "stations.toml")
      box.folder.write(Array("anna:geheim\n".utf8), to: "one")
      try box.start("null", environment: ["CREDENTIALS_DIRECTORY": box.folder.path])
      #expect(box.manager.receives("STATUS=playing: One"))
      #expect(station.visits.last?.header("authorization") == "Basic YW5uYTpnZWhlaW0=")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("An address without an interface does not block the Unix socket")
  func addressToCome() async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/one"), ("1", "http://127.0.0.1:9/two")])
      let word = box.folder.write(Array("word\n".utf8), to: "word")
      let text = String(decoding: box.folder.bytes(of: "bakelite.toml"), as: UTF8.self)
      let more = "listen = \"192.0.2.1:6699\"\npassword_file = \"\(word)\"\n"
      box.folder.write(Array((text + more).utf8), to: "bakelite.toml")
      let program = try box.start("null")
      #expect(box.manager.receives("READY=1"))
      #expect(program.waitForError("The radio retries until it can serve clients at 192.0.2.1:6699."))
      #expect(try Program.run("ctl", "--socket", box.socket, "status").code == 0)
      // A numeric station name is not a preset number.
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("radio_preset remove 1")?.first?.contains("preset 2 is called 1") == true)
      #expect(peer.request("radio_preset remove 2") == [])
      #expect(peer.request("listplaylist Presets") == ["file: http://127.0.0.1:9/one"])
      #expect(try box.switchOff().code == 0)
    }
  }
}
