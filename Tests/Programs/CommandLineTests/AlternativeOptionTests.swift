import Glibc
import MediaSupport
import StationSupport
import TestSupport
import Testing

/// `play` with other addresses of a station (F1).
@Suite struct AlternativeOptionTests {
  private static let silent = ["--output", "null", "--duration", "1", "--events", "-"]

  @Test("play --alternative plays the first address that works, without the secrets of the first address")
  func option() async throws {
    try await Stage.run {
      let gone = try ScriptedStation(StationAction.response("404 Not Found"))
      let mirror = try ScriptedStation { _ in [.live(), .send(Clip.mp3(4).bytes), .stall] }
      defer {
        gone.close()
        mirror.close()
      }
      let outcome = try Program(
        ["play"] + Self.silent + [
          "--header", "X-Key: geheim", "--user", "anna:geheim", "--alternative", gone.url("/b"), "--alternative",
          mirror.url(), gone.url("/a"),
        ]
      ).waitForEnd()
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(gone.visits.map(\.path) == ["/a", "/b"] && mirror.visits.count == 1)
      #expect(gone.visits.map { $0.header("X-Key") } == ["geheim", nil])
      #expect(mirror.visits[0].header("X-Key") == nil && mirror.visits[0].header("Authorization") == nil)
      #expect(outcome.outputText.contains(mirror.url()) && !(outcome.outputText + outcome.errors).contains("geheim"))
    }
  }

  @Test("play --fallback plays without the secrets of the station, and the duration ends the run")
  func fallback() async throws {
    try await Stage.run {
      let gone = try ScriptedStation(StationAction.response("404 Not Found"))
      let other = try ScriptedStation { _ in [.live(), .send(Clip.mp3(4).bytes), .stall] }
      defer {
        gone.close()
        other.close()
      }
      let outcome = try Program(
        ["play"] + Self.silent + [
          "--header", "X-Key: geheim", "--user", "anna:geheim", "--query", "token=geheim", "--fallback", other.url(),
          gone.url("/a"),
        ]
      ).waitForEnd()
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(gone.visits[0].header("X-Key") == "geheim" && other.visits.map(\.path) == ["/live"])
      #expect(other.visits[0].header("X-Key") == nil && other.visits[0].header("Authorization") == nil)
    }
  }

  @Test("A station of the list tries its alternatives, except one with an unreadable file of its user")
  func listed() async throws {
    try await Stage.run {
      let (gone, mirror) = (
        try ScriptedStation(StationAction.response("404 Not Found")),
        try ScriptedStation { _ in [.live(), .send(Clip.mp3(4).bytes), .stall] }
      )
      defer {
        gone.close()
        mirror.close()
      }
      let home = TemporaryFolder()
      let list = """
        [[station]]
        name = "One"
        url = "\(gone.url("/a"))"
        alternatives = [{ url = "\(gone.url("/b"))", user = "@/nowhere/secret" },
          { url = "\(mirror.url())", user = "anna:geheim", query = ["token=geheim"] }]

        """
      mkdir(home.path + "/bakelite", 0o700)
      home.write(Array(list.utf8), to: "bakelite/stations.toml")
      let environment = ["XDG_CONFIG_HOME": home.path]
      let outcome = try Program(["play"] + Self.silent + ["One"], environment: environment).waitForEnd()
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(gone.visits.map(\.path) == ["/a"])
      #expect(mirror.visits.map(\.path) == ["/live?token=geheim"] && mirror.visits[0].header("Authorization") != nil)
      #expect(outcome.errors.contains("Leaving out the address \(gone.url("/b")): /nowhere/secret: it cannot be read"))
      #expect(!(outcome.outputText + outcome.errors).contains("geheim"))
    }
  }
}
