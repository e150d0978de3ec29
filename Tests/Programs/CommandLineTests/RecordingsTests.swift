import Foundation
import StationSupport
import TestSupport
import Testing

/// `bakelite recordings`, without a running radio and with one.
@Suite struct RecordingsTests {
  /// Two seconds of MP3 with 128 kbit/s at 44,100 Hz.
  private static let frames = (0..<77).flatMap { _ in
    [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
  }

  private static func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/Show", withIntermediateDirectories: true)
    for (age, name) in ["b.mp3", "Show/a \u{1B}[31m.mp3", "Show/a.mp3", "b.cue"].enumerated() {
      let path = folder.write(name == "b.cue" ? Array("REM a\n".utf8) : frames, to: name)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000 - Double(age))], ofItemAtPath: path)
    }
    return folder
  }

  private static func exists(_ folder: TemporaryFolder, _ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path + "/" + name)
  }

  @Test("A radio without --recordings shows clients no folder, and a box's commands are named as such")
  func playerWithoutFolder() async throws {
    try await Stage.run {
      let folder = try Self.folder()
      let socket = folder.path + "/socket"
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let radio = try Program(["play", "--output", "null", "--control", socket, station.url("/live")])
      defer { radio.signal(SIGKILL) }
      let end = monotonicSeconds() + 10
      while !FileManager.default.fileExists(atPath: socket), monotonicSeconds() < end { usleep(10_000) }
      for command in ["radio_recordings", "radio_recording_delete b.mp3"] {
        let outcome = try Program(["ctl", "--socket", socket] + command.split(separator: " ").map(String.init))
          .waitForEnd()
        #expect(outcome.code != 0 && outcome.errors.contains("start `bakelite play` with --recordings FOLDER, or use"))
      }
      let box = try Program.run("ctl", "--socket", socket, "sleep", "30")
      #expect(box.code != 0 && box.errors.contains("sleep works with a box only"), "\(box.errors)")
      #expect(Self.exists(folder, "b.mp3"))
    }
  }

  @Test("Recordings are listed as a table and as JSON")
  func lists() async throws {
    try await Stage.run {
      let folder = try Self.folder()
      let plain = try Program.run("recordings", "--folder", folder.path)
      #expect(plain.code == 0 && plain.errors.isEmpty)
      #expect(
        plain.outputText == """
          1  2001-09-09 01:46 UTC   0:00:02      0.0 MB  b.mp3
          2  2001-09-09 01:46 UTC   0:00:02      0.0 MB  Show/a.mp3

          """)
      let json = try Program.run("recordings", "list", "--json", "--folder", folder.path)
      #expect(
        json.outputText.split(separator: "\n").first.map(String.init)
          == #"{"number":1,"name":"b.mp3","path":"\#(folder.path)/b.mp3","bytes":32109,"modified":1000000000,"#
          + #""duration":2.011,"growing":false}"#)
      let config = folder.write(Array("[recording]\npath = \"\(folder.path)/Show\"\n".utf8), to: "bakelite.toml")
      let other = try Program.run("recordings", "--config", config)
      #expect(other.code == 0 && other.outputText.hasSuffix("  a.mp3\n"))
      let empty = TemporaryFolder()
      let none = try Program.run("recordings", "--folder", empty.path)
      #expect(none.code == 0 && none.errors == "\(empty.path) contains no recordings.\n")
    }
  }

  @Test("A recording is chosen by number or name, and a wrong choice is an error")
  func paths() async throws {
    try await Stage.run {
      let folder = try Self.folder()
      for word in ["2", "Show/a.mp3"] {
        let path = try Program.run("recordings", "path", word, "--folder", folder.path)
        #expect(path.code == 0 && path.outputText == folder.path + "/Show/a.mp3\n")
      }
      for word in ["0", "3", "99999999999999999999", "../b.mp3", "/etc/passwd", "b.cue", ""] {
        let wrong = try Program.run("recordings", "path", word, "--folder", folder.path)
        #expect(wrong.code == 1 && wrong.outputText.isEmpty && wrong.errors.contains("contains 2 recordings."))
      }
      let missing = try Program.run("recordings", "--folder", folder.path + "/none")
      #expect(missing.code == 1 && missing.errors.contains("/none does not exist; name another one."))
      let faulty = try Program.run("recordings", "--config", folder.path + "/none.toml")
      #expect(faulty.code == 1 && !faulty.errors.isEmpty)
    }
  }

  @Test("Without a terminal, only --yes deletes a recording")
  func deletes() async throws {
    try await Stage.run {
      let folder = try Self.folder()
      let asked = try Program.run("recordings", "delete", "1", "--folder", folder.path)
      #expect(asked.code == 2 && asked.errors == "bakelite: Deleting \"b.mp3\" needs --yes without a terminal.\n")
      #expect(Self.exists(folder, "b.mp3"))
      let done = try Program.run("recordings", "delete", "1", "--yes", "--folder", folder.path)
      #expect(done.code == 0 && done.errors == "Deleted \"b.mp3\".\n")
      #expect(!Self.exists(folder, "b.mp3") && !Self.exists(folder, "b.cue") && Self.exists(folder, "Show/a.mp3"))
    }
  }

  @Test("A recording gets another name by number or name, with its cue sheet")
  func renames() async throws {
    try await Stage.run {
      let folder = try Self.folder()
      let done = try Program.run("recordings", "rename", "1", "New: name", "--folder", folder.path)
      #expect(done.code == 0 && done.errors == "Renamed \"b.mp3\" to \"New_ name.mp3\".\n", "\(done.errors)")
      #expect(
        Self.exists(folder, "New_ name.mp3") && Self.exists(folder, "New_ name.cue") && !Self.exists(folder, "b.cue"))
      let short = try Program.run("recordings", "path", "Show/a", "--folder", folder.path)
      #expect(short.code == 0 && short.outputText.hasSuffix("/Show/a.mp3\n"), "\(short)")
      let path = try Program.run("recordings", "rename", "Show/a.mp3", "../c", "--folder", folder.path)
      #expect(path.code == 1 && path.errors.contains("without \"/\"") && Self.exists(folder, "Show/a.mp3"))
    }
  }

  @Test("A recording plays here, or on the radio at the socket")
  func plays() async throws {
    try await Stage.run {
      let folder = try Self.folder()
      let here = try Program.run("recordings", "play", "1", "--folder", folder.path, "--output", "null")
      #expect(here.code == 0 && here.errors.hasPrefix("Playing \"b.mp3\" here.\n"))
      let absent = try Program.run(
        "recordings", "play", "1", "--folder", folder.path, "--socket", folder.path + "/none")
      #expect(absent.code == 1 && absent.errors.contains("No radio answers at"))
    }
  }

  @Test("The display of a box lists, deletes and plays recordings by the knob")
  func panel() async throws {
    try await Stage.run {
      let folder = try Self.folder()
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(60)) }
      defer { station.close() }
      let box = try Box("", stations: [("One", station.url("/one"))])
      let more = Array("\n[recording]\npath = \"\(folder.path)\"\n".utf8)
      box.folder.write(box.folder.bytes(of: "bakelite.toml") + more, to: "bakelite.toml")
      try box.start("null")
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      func isShown(_ words: String) -> Bool { peer.request("radio_display")?.contains { $0.contains(words) } == true }
      #expect(peer.request("radio_press menu") == [])
      for _ in 0..<20 where !isShown("→Recordings") { #expect(peer.request("radio_turn 1 tune") == []) }
      #expect(peer.request("radio_press select") == [] && peer.waitForDisplay("→b"))
      #expect(peer.request("radio_press mode") == [] && peer.waitForDisplay("Delete?"))
      #expect(peer.request("radio_turn 1 tune") == [] && peer.request("radio_press select") == [])
      #expect(peer.waitForDisplay("→a") && !Self.exists(folder, "b.mp3") && !Self.exists(folder, "b.cue"))
      #expect(peer.request("radio_press select") == [] && box.manager.receives("STATUS=playing: a"))
      #expect(Self.exists(folder, "Show/a.mp3"))
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A box lists, plays and deletes recordings, except the one in progress")
  func box() async throws {
    try await Stage.run {
      let folder = try Self.folder()
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(60)) }
      defer { station.close() }
      let box = try Box("", stations: [("One", station.url("/one"))])
      let more = Array("\n[recording]\npath = \"\(folder.path)\"\n".utf8)
      box.folder.write(box.folder.bytes(of: "bakelite.toml") + more, to: "bakelite.toml")
      try box.start("null")
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("radio_record start now.mp3") == [])
      let first = peer.request("radio_recordings 0:1") ?? []
      #expect(first.first == "recording: now.mp3" && first.last == "growing: 1", "\(first)")
      let stays = "ACK [52@0] {radio_recording_delete} now.mp3 is being recorded; end the recording first."
      #expect(peer.request("radio_recording_delete now.mp3") == [stays] && Self.exists(folder, "now.mp3"))
      let refused = try Program.run("recordings", "delete", "now.mp3", "--yes", "--folder", folder.path)
      #expect(refused.code == 1)
      #expect(refused.errors == "bakelite: now.mp3 is being recorded; end the recording first.\n")
      #expect(peer.request("radio_record stop") == [])
      let play = try Program.run(
        "recordings", "play", "Show/a.mp3", "--folder", folder.path, "--socket", box.socket)
      #expect(play.code == 0 && play.errors == "The radio plays \"Show/a.mp3\".\n")
      #expect(box.manager.receives("STATUS=playing: a"))
      #expect(peer.request("radio_recording_delete Show/a.mp3") == [] && !Self.exists(folder, "Show/a.mp3"))
      #expect(try box.switchOff().code == 0)
    }
  }
}
