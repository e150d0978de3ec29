import Foundation
import StationSupport
import TestSupport
import Testing

@Suite(.enabled(if: Shim.works, "needs clang, and no sanitizer")) struct ThreadTests {
  @Test(
    "`play` names the thread that could not start, and the remedy",
    arguments: [(0, "render"), (1, "decode"), (2, "net")])
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

  @Test("A recording without a thread is refused, and nothing plays")
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

  @Test("A box without a display thread reports it and plays; without an audio thread it retries")
  func box() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      let program = try box.start(preload: try Shim("limits"), environment: ["BAKELITE_THREADS": "0"])
      #expect(
        program.waitForError("Could not start the display thread")
          && program.waitForError("Could not start the render thread"))
      #expect(box.manager.receives("READY=1"))
      #expect(try box.switchOff().code == 0)
    }
  }
}

/// Counts wake-ups during playback: on a small processor a wake-up costs more than its work.
@Suite struct WakeTests {
  @Test(
    "A live station wakes the radio fewer than 30 times a second, with and without a burst",
    .enabled(if: !Sanitizer.isOn, "a sanitizer has a thread of its own"), arguments: [0.0, 4.0])
  func wakes(burst: Double) async throws {
    try await Stage.run {
      let air = Broadcast(Clip.mp3(20), burst: burst)
      let station = try ScriptedStation { [.live()] + air.actions($0) }
      defer { station.close() }
      let program = try Program(["play", "--output", "null", "--drift", "off", station.url()])
      #expect(program.waitForError("Playing after"))
      // On a busy machine late threads wake more often; the lowest of three rates counts.
      let rate = (0..<3).map { _ in program.wakeRate(over: 5) }.min() ?? .infinity
      #expect(rate < 30, "\(rate) wake-ups a second")
      program.interrupt()
      #expect(try program.waitForEnd().code == 0)
    }
  }

  @Test(
    "A file larger than the buffer causes no more wake-ups",
    .enabled(if: !Sanitizer.isOn, "a sanitizer has a thread of its own"))
  func wakesWhenFull() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let path = folder.write(Array([[UInt8]](repeating: Clip.mp3(20).bytes, count: 60).joined()), to: "long.mp3")
      let program = try Program([
        "play", "--output", "null", "--drift", "off", "--throttle-bypass", "900", path,
      ])
      #expect(program.waitForError("Playing after"))
      let rate = (0..<3).map { _ in program.wakeRate(over: 5) }.min() ?? .infinity
      #expect(rate < 60, "\(rate) wake-ups a second")
      program.interrupt()
      #expect(try program.waitForEnd().code == 0)
    }
  }
}
