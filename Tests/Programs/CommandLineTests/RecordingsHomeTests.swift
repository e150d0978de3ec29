import Foundation
import MediaSupport
import StationSupport
import TestSupport
import Testing

@testable import bakelite

/// The default folder of `bakelite recordings` and of kept songs.
@Suite struct RecordingsHomeTests {
  @Test("The default folder is the box's for a user with rights there, otherwise the user's own")
  func choice() throws {
    let folder = TemporaryFolder()
    func settings(_ path: String) -> String {
      folder.write(Array("[recording]\npath = \"\(path)\"\n[control]\nsocket = \"/s\"\n".utf8), to: "bakelite.toml")
    }
    func find(_ path: String, own: String? = "/h/own") throws -> RecordingsHome {
      try RecordingsHome.find(installed: path, own: own)
    }
    #expect(try find(folder.path + "/none.toml") == RecordingsHome(folder: "/h/own"))
    #expect(try find(folder.path + "/none.toml", own: nil).folder == "/var/lib/bakelite/recordings")
    let box = settings(folder.path + "/r")
    #expect(try find(box) == RecordingsHome(folder: "/h/own", hidesBox: true), "only the radio creates its folder")
    #expect(mkdir(folder.path + "/r", 0o700) == 0)
    let home = try find(box)
    #expect(home.folder == folder.path + "/r" && home.socket == "/s" && home.radio?.path == home.folder)
    let foreign = settings("/none/of/this")
    #expect(try find(foreign) == RecordingsHome(folder: "/h/own", hidesBox: true))
    #expect(try find(foreign, own: nil).folder == "/none/of/this")
    #expect(throws: (any Error).self) { try find(folder.write(Array("x".utf8), to: "bakelite.toml")) }
    #expect(RecordingsHome.own { $0 == "XDG_DATA_HOME" ? "/d" : nil } == "/d/bakelite/recordings")
    #expect(RecordingsHome.own { $0 == "HOME" ? "/h" : nil } == "/h/.local/share/bakelite/recordings")
    #expect(RecordingsHome.own { _ in nil } == nil)
  }

  @Test("A recording of `play` in a radio's folder has the radio's limits, and only the user's own folder is created")
  func limits() throws {
    let folder = TemporaryFolder()
    let (own, box) = (folder.path + "/h/own", folder.path + "/r")
    let text = "[recording]\npath = \"\(box)\"\nmax_gb = 2\nfloor_mib = 7\n"
    let installed = folder.write(Array(text.utf8), to: "bakelite.toml")
    #expect(mkdir(box, 0o700) == 0 && symlink(box, folder.path + "/link") == 0)
    let found = RecordOptionGroup.settings(try RecordingsHome.find(installed: installed, own: own), isNamed: false)
    let named = RecordOptionGroup.settings(.named(folder.path + "/link", installed: installed), isNamed: true)
    for settings in [found, named] {
      #expect(settings.folder == box && settings.limit == .bytes(2_000_000_000) && settings.floor == 7 << 20)
      #expect(!settings.isPrivate)
    }
    let other = RecordOptionGroup.settings(.named(own, installed: installed), isNamed: true)
    #expect(other.folder == own && other.limit == .none && !other.isPrivate)
    let user = RecordOptionGroup.settings(RecordingsHome(folder: own), isNamed: false)
    #expect(user.limit == .none && user.isPrivate)
  }

  @Test("A kept song of `play` is in the list of `recordings`, and --record stays in the current folder")
  func kept() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in ListenRig.titled("Nina - Sinnerman") }
      defer { station.close() }
      let (rig, terminal) = (ListenRig(nil), try Terminal())
      let environment = rig.environment.merging(["XDG_DATA_HOME": rig.folder.path + "/data/of"]) { $1 }
      let none = try Program.run("recordings", environment: environment)
      let own = rig.folder.path + "/data/of/bakelite/recordings"
      #expect(none.code == 0 && none.errors.hasPrefix("The folder \(own) does not exist"), "\(none.errors)")
      let program = try Program(
        ["play", "--output", "null", "--record", "evening.mp3", station.url()], environment: environment,
        directory: rig.folder.path, terminal: terminal.program)
      #expect(program.waitForError("Playing after") && program.waitForError("Title: Nina"))
      terminal.press("k")
      #expect(program.waitForError("Keeping \"Nina - Sinnerman\""))
      terminal.press("q")
      #expect(try program.waitForEnd(within: 10).code == 0)
      let listed = try Program.run("recordings", environment: environment)
      #expect(listed.code == 0 && listed.outputText.hasSuffix("  Nina - Sinnerman.mp3\n"), "\(listed)")
      #expect(!rig.folder.bytes(of: "evening.mp3").isEmpty)
      let here = try Program(["recordings", "play", "1", "--output", "null"], environment: environment)
      #expect(here.waitForError("Playing \"Nina - Sinnerman.mp3\" here.\n") && here.waitForError("Playing after"))
      here.interrupt()
      #expect(try here.waitForEnd(within: 10).code == 0)
    }
  }

  @Test("recordings --config plays on the radio of the settings file, and does not rename the playing file")
  func playsByConfig() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in ListenRig.titled("Nina - Sinnerman") }
      defer { station.close() }
      let box = try Box("", stations: [("One", station.url("/one"))])
      box.folder.write(ToneMp3.hum(600), to: "a.mp3")
      let more = Array("\n[recording]\npath = \"\(box.folder.path)\"\n".utf8)
      box.folder.write(box.folder.bytes(of: "bakelite.toml") + more, to: "bakelite.toml")
      try box.start("null")
      #expect(box.manager.receives("STATUS=playing: One"))
      let play = try Program.run("recordings", "play", "a", "--config", box.folder.path + "/bakelite.toml")
      #expect(play.code == 0 && play.errors == "The radio plays \"a.mp3\".\n", "\(play)")
      #expect(box.manager.receives("STATUS=playing: a"))
      let rename = ["recordings", "rename", "a", "b", "--config", box.folder.path + "/bakelite.toml"]
      let refused = try Program(rename).waitForEnd()
      let sentence = "bakelite: The radio plays this recording; stop the radio first.\n"
      #expect(refused.code == 1 && refused.errors == sentence, "\(refused.errors)")
      #expect(try ControlPeer(box.socket).request("stop") == [])
      #expect(try Program(rename).waitForEnd().errors == "Renamed \"a.mp3\" to \"b.mp3\".\n")
      #expect(try box.switchOff().code == 0)
    }
  }
}
