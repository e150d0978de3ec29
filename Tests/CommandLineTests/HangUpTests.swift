import Foundation
import TestSupport
import Testing

/// A terminal that is closed takes the program that runs in it along.
@Suite struct HangUpTests {
  /// The tests themselves may have been started by nohup.
  private static let hearsHangUp = ["/usr/bin/env", "--default-signal=HUP"]

  /// A box that draws its panel in a terminal, and plays.
  private static func box(_ work: (Box, Terminal) throws -> Void) throws {
    let station = try ScriptedStation { _ in Act.onAir(.mp3(30)) }
    defer { station.close() }
    let box = try Box(stations: [("One", station.url())])
    let terminal = try Terminal()
    try box.start(by: Self.hearsHangUp, terminal: terminal.program)
    #expect(terminal.shows("One") && box.manager.hears("STATUS=playing: One"))
    try work(box, terminal)
  }

  @Test("a box whose terminal is closed ends, and gives its socket back")
  func closed() async throws {
    try await Stage.run {
      try Self.box { box, terminal in
        terminal.hangUp()
        let end = try box.program?.end(within: 5)
        #expect(end?.code == 0)
        #expect(box.state.contains("station_name=One\n"), "what it remembers is written")
        #expect(!FileManager.default.fileExists(atPath: box.socket))
      }
    }
  }

  @Test("SIGHUP ends a box that draws its panel in a terminal, and its terminal is as it was")
  func signalled() async throws {
    try await Stage.run {
      try Self.box { box, terminal in
        box.program?.signal(SIGHUP)
        let end = try box.program?.end(within: 5)
        #expect(end?.code == 0)
        #expect(terminal.shows("\u{1B}[?1049l"))
      }
    }
  }

  @Test("the panel of a running radio ends with its terminal; the radio plays on")
  func panel() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in Act.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      try box.start()
      #expect(box.manager.hears("STATUS=playing: One"))
      let terminal = try Terminal()
      let panel = try Program(["panel", "--socket", box.socket], terminal: terminal.program)
      #expect(terminal.shows("One"))
      terminal.hangUp()
      #expect(try panel.end(within: 5).code == 1)
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("`play` ends at SIGHUP as at Ctrl-C, unless it was started to go on (nohup)", arguments: [false, true])
  func play(isNohup: Bool) async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in Act.onAir(.mp3(30)) }
      defer { station.close() }
      let program = try Program(
        ["play", "--output", "null", "--events", "-", station.url()],
        by: isNohup ? ["/usr/bin/nohup"] : Self.hearsHangUp)
      #expect(program.says("Playing after"))
      program.signal(SIGHUP)
      // The shell's, and the kernel's when the shell has ended.
      usleep(20_000)
      program.signal(SIGHUP)
      if isNohup {
        // The signal would have been taken before this one.
        usleep(300_000)
        program.interrupt()
        #expect(try program.end(within: 5).code == 0, "two signals would end it at once, with 130")
      } else {
        let outcome = try program.end(within: 5)
        #expect(outcome.code == 0 && outcome.events.suffix(2) == ["stopped", "summary"])
      }
    }
  }
}
