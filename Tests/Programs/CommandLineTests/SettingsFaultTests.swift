import Foundation
import StationSupport
import TestSupport
import Testing

/// A fault of each kind in the settings: the sentence, and if the box plays (I3).
@Suite struct SettingsFaultTests {
  private static let played: [(text: String, words: String)] = [
    ("timezone = \"Mars/Olympus\"", "line 1: timezone must be a zone of the tz database"),
    ("language = \"fr\"", "line 1: language must be en or de"),
    ("board = \"a b\"", "line 1: board must be"),
    ("board = \"no-such-board\"", "there is no board \"no-such-board\""),
    ("[mqtt]\nserver = \"mqtt://broker\"", "line 2: [mqtt] server must be a host"),
    ("[mqtt]\ndiscovery_prefix = \"#\"", "line 2: [mqtt] discovery_prefix must be"),
    ("[mqtt]\ndevice_name = \"a\\u001bb\"", "line 2: [mqtt] device_name must be a line"),
  ]

  @Test(
    "An unusable text of a setting without effect on the sound is reported, and the box plays (I3)", arguments: played)
  func plays(_ fault: (text: String, words: String)) async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(fault.text + "\n", stations: [("One", station.url("/one"))])
      let program = try box.start("null")
      #expect(box.manager.receives("STATUS=playing: One") && program.waitForError(fault.words))
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test(
    "The display names an unusable setting or file for some seconds after the start (I3)",
    arguments: [
      ("language = \"fr\"\n", nil, "langu"), ("", "stations.toml", "stati"), ("", "owner.toml", "owner"),
    ] as [(String, String?, String)])
  func display(_ settings: String, _ file: String?, _ words: String) async throws {
    try await Stage.run {
      let box = try Box(settings, stations: [("One", "http://127.0.0.1:9/one")])
      if let file { box.folder.write(box.folder.bytes(of: file) + Array("x".utf8), to: file) }
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      // Longer words scroll.
      #expect(peer.waitForDisplay("Wrong setting: \(words)"))
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The display names each damaged file in turn (I3)")
  func displayInTurn() async throws {
    try await Stage.run {
      let box = try Box("", stations: [("One", "http://127.0.0.1:9/one")])
      for file in ["stations.toml", "owner.toml"] {
        box.folder.write(box.folder.bytes(of: file) + Array("x".utf8), to: file)
      }
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.waitForDisplay("Wrong setting: stati"))
      #expect(peer.waitForDisplay("Wrong setting: owner"))
      #expect(try box.switchOff().code == 0)
    }
  }

  private static let refused: [(text: String, words: String)] = [
    ("timezone = 5", "line 1: timezone must be"), ("langauge = \"de\"", "line 1: there is no key \"langauge\" here"),
    ("timezone = ", "line 1"), ("[audio]\nvolume = \"loud\"", "line 2: [audio] volume must be"),
    ("[audio]\nbuffer_ms = 1", "line 2: [audio] buffer_ms must be"),
    ("[start]\nplay = \"never\"", "line 2: [start] play must be last or always"),
    ("[mqtt]\nserver = 5", "line 2: [mqtt] server must be"),
    ("[mqtt]\nuser_file = \"a/b\"", "line 2: [mqtt] user_file must be"),
    ("[web]\nlisten = \"here\"", "line 2: [web] listen must be"),
    ("[recording]\nmax_gb = -1", "line 2: [recording] max_gb must lie between 0 and 1000000 GB"),
    ("[panel]\nidle_clock = \"yes\"", "line 2: [panel] idle_clock must be true or false"),
  ]

  @Test("Another fault is reported with its line, and the box does not start (I3)", arguments: refused)
  func refuses(_ fault: (text: String, words: String)) async throws {
    try await Stage.run {
      let box = try Box(fault.text + "\n", stations: [("One", "http://127.0.0.1:9/one")])
      let outcome = try box.start("null").waitForEnd()
      #expect(outcome.code == 2 && outcome.errors.contains(fault.words), "\(outcome.errors)")
    }
  }

  @Test(
    "A box whose owner wants more blocks than it has memory for plays with those of its file (I3)",
    .enabled(if: !Sanitizer.isOn, "a sanitizer reserves memory"))
  func memory() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one"))])
      box.folder.write(Array("[buffer]\nblocks = 100000\n".utf8), to: "owner.toml")
      let program = try box.start("null", by: ["/bin/sh", "-c", "ulimit -v 400000; exec \"$0\" \"$@\""])
      #expect(program.waitForError("no memory for 100000 blocks, so the radio uses the 1200 of bakelite.toml."))
      #expect(box.manager.receives("STATUS=playing: One", within: 30))
      #expect(try box.switchOff().code == 0)
    }
  }
}
