import Foundation
import TestSupport
import Testing

@Suite struct StationFilesTests {
  @Test("The old name of --stations works, and the new one is suggested once")
  func formerName() async throws {
    try await Stage.run {
      let (folder, path) = file()
      let outcome = try Program.run("stations", "remove", "1", "--file", path)
      let said = "bakelite: --file was renamed to --stations; the old name still works.\nRemoved station 1, \"FIP\".\n"
      #expect((outcome.code, outcome.errors) == (0, said))
      let both = try Program.run("stations", "list", "--file", path, "--stations", path)
      #expect(both.code == 2 && both.output.isEmpty && both.errors.contains("use only --stations"), "\(both.errors)")
      withExtendedLifetime(folder) {}
    }
  }

  @Test("An invalid TOML file is reported once, with its line", arguments: ["add", "remove", "move", "import"])
  func saidOnce(command: String) async throws {
    try await Stage.run {
      let (folder, path) = file("[[station]]\nname = \"FIP\nurl = \"http://fip.example/\"\n")
      let source = folder.write(Array("#EXTM3U\nhttp://a.example/\n".utf8), to: "list.m3u")
      let more = ["add": ["X", "http://x/"], "remove": ["1"], "move": ["1", "2"], "import": [source]]
      let outcome = try Program(["stations", command] + (more[command] ?? []) + ["--stations", path]).waitForEnd()
      let sentence = "bakelite: \(path), line 2, column 12: the closing quote is missing.\n"
      #expect((outcome.code, outcome.errors) == (2, sentence))
    }
  }

  @Test("--socket selects that radio's files; without a reply nothing changes")
  func socketAlone() async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/")])
      try box.start()
      #expect(box.manager.receives("READY=1"))
      func run(_ words: String...) throws -> Program.Outcome {
        try Program(words + ["--socket", box.socket], directory: box.folder.path).waitForEnd(within: 20)
      }
      let added = try run("stations", "add", "Two", "http://127.0.0.1:9/two")
      let end = "/stations.toml.\nThe running radio has reloaded its stations: 2.\n"
      #expect(added.errors.hasPrefix("\"Two\" is station 2 of /") && added.errors.hasSuffix(end), "\(added.errors)")
      let file = box.folder.bytes(of: "stations.toml")
      #expect(String(decoding: file, as: UTF8.self).contains("http://127.0.0.1:9/two"))
      let mistyped = try run("ctl", "tune", "Twoo")
      #expect(mistyped.code == 1 && mistyped.errors.hasSuffix("its address; did you mean \"Two\"?\n"), "\(mistyped)")
      #expect(try run("ctl", "stauts").errors.hasSuffix("; did you mean \"status\"?\n"))
      #expect(try box.switchOff().code == 0)
      let alone = try run("stations", "remove", "Two")
      #expect(alone.code == 1 && alone.errors == "bakelite: No radio answers at \(box.socket); is bakelited running?\n")
      #expect(box.folder.bytes(of: "stations.toml") == file)
    }
  }

  @Test("Another user's radio does not reveal its file", .enabled(if: geteuid() == 0, "needs root"))
  func strangersSocket() async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/")])
      try box.start()
      #expect(box.manager.receives("READY=1"))
      #expect(chown(box.socket, 65_534, 65_534) == 0)
      let words = ["stations", "add", "Two", "http://127.0.0.1:9/two", "--socket", box.socket]
      let added = try Program(words, directory: box.folder.path).waitForEnd(within: 20)
      #expect(added.code == 1 && added.errors.contains("belongs to another user"), "\(added.errors)")
      #expect(!String(decoding: box.folder.bytes(of: "stations.toml"), as: UTF8.self).contains("two"))
      #expect(try box.switchOff().code == 0)
    }
  }

  private func file(_ text: String = StationsTests.list) -> (folder: TemporaryFolder, path: String) {
    let folder = TemporaryFolder()
    return (folder, folder.write(Array(text.utf8), to: "stations.toml"))
  }
}
