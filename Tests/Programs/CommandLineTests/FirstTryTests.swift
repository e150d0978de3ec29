import Foundation
import StationSupport
import TestSupport
import Testing

/// The box on a computer without its hardware (D10).
@Suite struct FirstTryTests {
  @Test("config/try.toml runs next to an installed box, in a folder of its own (D10)")
  func firstTry() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box()
      let folder = box.folder.path + "/.bakelite-try"
      box.folder.write(Repository.bytes("config/try.toml"), to: "bakelite.toml")
      box.write([("One", station.url())])
      let program = try box.start("null", environment: ["HOME": box.folder.path])
      #expect(box.manager.receives("STATUS=playing: One"))
      let attributes = try FileManager.default.attributesOfItem(atPath: folder)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
      let peer = try ControlPeer(folder + "/socket")
      #expect(peer.request("radio_record start evening.mp3") == [])
      program.signal(SIGTERM)
      let end = try program.waitForEnd(within: 5)
      #expect(end.code == 0, "\(end.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(Set(names).isSuperset(of: ["state", "recordings"]) && !names.contains("socket"), "\(names)")
      let all = try FileManager.default.contentsOfDirectory(atPath: box.folder.path)
      #expect(Set(all) == [".bakelite-try", "bakelite.toml", "stations.toml", "notify"])
      #expect(station.visits.count == 1)
    }
  }

  @Test("A state folder writable for everybody is refused, because its content is trusted")
  func openFolder() async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/one")])
      let folder = box.folder.path + "/open"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      #expect(chmod(folder, 0o777) == 0)
      box.folder.write(Array("board = \"simulated\"\n[state]\npath = \"\(folder)\"\n".utf8), to: "bakelite.toml")
      let program = try box.start("null")
      let end = try program.waitForEnd(within: 5)
      #expect(end.code == 2 && end.errors.contains("\(folder): everybody may write to it"), "\(end.errors)")
    }
  }
}
