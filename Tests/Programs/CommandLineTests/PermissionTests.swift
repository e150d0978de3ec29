import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: getuid() == 0 && Repository.tool("setpriv") != nil, "needs root, and setpriv"))
struct PermissionTests {
  private static func run(_ arguments: [String], cache: String? = nil) throws -> Program.Outcome {
    try Program(
      arguments, by: ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"],
      environment: cache.map { ["XDG_CACHE_HOME": $0] } ?? [:]
    ).waitForEnd(within: 20)
  }

  @Test("An unreadable copy of the box is reported, and the user's own copy is searched (G2)")
  func copy() async throws {
    try await Stage.run {
      let rig = try FindRig { _ in [] }
      let (box, cache) = (rig.folder.path + "/box", rig.folder.path + "/cache")
      #expect(mkdir(box, 0o700) == 0)
      try rig.settings("", path: box + "/directory")
      let words = ["find", "--config", rig.folder.path + "/bakelite.toml"]
      let barred = try Self.run(words, cache: cache)
      let sentence = """
        bakelite: This user may not read the box's copy, \(box)/directory: run the command with sudo, or download \
        your own copy with `bakelite find --update`.

        """
      #expect(barred.code == 1 && barred.errors == sentence, "\(barred.errors)")
      try rig.make(date: 100)
      #expect(mkdir(cache, 0o755) == 0 && mkdir(cache + "/bakelite", 0o755) == 0)
      #expect(rename(rig.path, cache + "/bakelite/directory") == 0)
      #expect(chmod(cache + "/bakelite/directory", 0o644) == 0)
      let own = try Self.run(words, cache: cache)
      #expect(own.code == 0 && own.outputText.split(separator: "\n").count == 20, "\(own.errors)")
    }
  }

  @Test("A station file without access rights is reported with the remedy")
  func stations() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let path = folder.write(Array(StationsTests.list.utf8), to: "stations.toml")
      #expect(chmod(path, 0o600) == 0)
      let list = try Self.run(["stations", "list", "--stations", path])
      let remedy = "(Permission denied); run the command with sudo.\n"
      #expect(list.code == 1 && list.errors == "bakelite: \(path): it cannot be read \(remedy)", "\(list.errors)")
      let add = try Self.run(["stations", "add", "One", "http://127.0.0.1:9/", "--stations", path])
      #expect(add.code == 1 && add.errors == "bakelite: \(path): it cannot be written \(remedy)", "\(add.errors)")
    }
  }
}
