import Foundation
import TestSupport
import Testing

/// A machine that gives no more threads: a sentence and an exit code, never a trap.
@Suite(.enabled(if: Shim.works, "needs clang, and no sanitizer")) struct ThreadTests {
  @Test(
    "`play` says which thread could not be made, and what to do", arguments: [(0, "render"), (1, "decode"), (2, "net")])
  func play(_ most: Int, _ name: String) async throws {
    try await Stage.run {
      let shim = try Shim("limits")
      let outcome = try Program.run(
        "play", "--output", "null", Repository.root + "/config/demo/bakelite-demo.mp3",
        environment: ["LD_PRELOAD": shim.path, "BAKELITE_THREADS": "\(most)"])
      withExtendedLifetime(shim) {}
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("Could not start the \(name) thread"), "\(outcome.errors)")
    }
  }

  @Test("a recording that gets no thread is refused, and nothing is played")
  func record() async throws {
    try await Stage.run {
      let (folder, shim) = (TemporaryFolder(), try Shim("limits"))
      let outcome = try Program.run(
        "play", "--output", "null", "--record", folder.path + "/x.mp3",
        Repository.root + "/config/demo/bakelite-demo.mp3",
        environment: ["LD_PRELOAD": shim.path, "BAKELITE_THREADS": "3"])
      withExtendedLifetime(shim) {}
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("Could not start the file thread"), "\(outcome.errors)")
    }
  }

  @Test("a box whose display gets no thread says so and plays; one that gets none for its sound tries again")
  func box() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in Act.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      let program = try box.start(preload: try Shim("limits"), environment: ["BAKELITE_THREADS": "0"])
      #expect(program.says("Could not start the display thread") && program.says("Could not start the render thread"))
      #expect(box.manager.hears("READY=1"))
      #expect(try box.switchOff().code == 0)
    }
  }
}
