import Foundation
import MediaSupport
import StationSupport
import TestSupport
import Testing

@Suite struct HangUpTests {
  /// Restores SIGHUP's default action, which nohup changes for the tests and their children.
  private static let restoringHangUp = ["/usr/bin/env", "--default-signal=HUP"]

  private static func box(_ work: (Box, Terminal) throws -> Void) throws {
    let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
    defer { station.close() }
    let box = try Box(stations: [("One", station.url())])
    let terminal = try Terminal()
    try box.start(by: Self.restoringHangUp, terminal: terminal.program)
    #expect(terminal.shows("One") && box.manager.receives("STATUS=playing: One"))
    try work(box, terminal)
  }

  @Test("A box whose terminal closes ends, and removes its socket")
  func closed() async throws {
    try await Stage.run {
      try Self.box { box, terminal in
        terminal.hangUp()
        let end = try box.program?.waitForEnd(within: 5)
        #expect(end?.code == 0)
        #expect(box.state.contains("station_name=One\n"), "what it remembers is written")
        #expect(!FileManager.default.fileExists(atPath: box.socket))
      }
    }
  }

  @Test("SIGHUP ends a box with a simulated panel, and restores its terminal")
  func signalled() async throws {
    try await Stage.run {
      try Self.box { box, terminal in
        box.program?.signal(SIGHUP)
        let end = try box.program?.waitForEnd(within: 5)
        #expect(end?.code == 0)
        #expect(terminal.shows("\u{1B}[?1049l"))
      }
    }
  }

  @Test("The panel of a running radio ends with its terminal; the radio plays on")
  func panel() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      let terminal = try Terminal()
      let panel = try Program(["panel", "--socket", box.socket], terminal: terminal.program)
      #expect(terminal.shows("One"))
      terminal.hangUp()
      #expect(try panel.waitForEnd(within: 5).code == 1)
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("`play` ends at SIGHUP as at Ctrl-C, unless started with nohup", arguments: [false, true])
  func play(isNohup: Bool) async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let program = try Program(
        ["play", "--output", "null", "--events", "-", station.url()],
        by: isNohup ? ["/usr/bin/nohup"] : Self.restoringHangUp)
      #expect(program.waitForError("Playing after"))
      program.signal(SIGHUP)
      // The shell sends the signal first; the kernel sends another when the shell has ended.
      usleep(20_000)
      program.signal(SIGHUP)
      if isNohup {
        // Waits until the program has handled the hang-up signal.
        usleep(300_000)
        program.interrupt()
        #expect(try program.waitForEnd(within: 5).code == 0, "two signals would end it at once, with 130")
      } else {
        let outcome = try program.waitForEnd(within: 5)
        #expect(outcome.code == 0 && outcome.events.suffix(2) == ["stopped", "summary"])
      }
    }
  }
}

@Suite struct PlayKeyTests {
  @Test("space, q, the arrows, 9, 0 and m act as in mpv, and the terminal is restored")
  func keys() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let socket = folder.path + "/socket"
      let song = folder.write(ToneMp3.hum(6_000), to: "song.mp3")
      let terminal = try Terminal()
      let before = terminal.modes
      let program = try Program(
        ["play", "--output", "null", "--control", socket, song], terminal: terminal.program)
      #expect(program.waitForError("Playing after"))
      #expect(before & tcflag_t(ICANON | ECHO) != 0 && terminal.modes & tcflag_t(ICANON | ECHO) == 0)
      let peer = try ControlPeer(socket)
      terminal.press("/")
      #expect(program.waitForError("Volume: 98 %") && peer.waitForNumber("volume") { $0 == 98 })
      terminal.press("//*m")
      #expect(program.waitForError("Volume: 96 %") && program.waitForError("Muted"))
      terminal.press("m ")
      #expect(program.waitForError("Muted\nVolume: 96 %") && peer.waitForValue("paused"))
      let place = try #require(peer.status()["position"].flatMap { Double($0) })
      for (key, seconds) in [("C", 5.0), ("A", 65), ("B", 5), ("D", 0)] {
        terminal.press("\u{1B}[" + key)
        #expect(peer.waitForNumber("position") { abs($0 - place - seconds) < 0.1 }, "\(key)")
      }
      terminal.press(" ?x")
      #expect(peer.waitForValue("playing") && program.waitForError("seek by 5 s"))
      terminal.press("q")
      let outcome = try program.waitForEnd(within: 5)
      #expect(outcome.code == 0 && outcome.errors.contains("Played "))
      #expect(terminal.modes == before)
    }
  }

  @Test("play leaves a piped terminal alone, and restores it after Ctrl-C")
  func others() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let terminal = try Terminal()
      let before = terminal.modes
      // The output is a pipe, and its reader may need the keys.
      let shell = ["/bin/sh", "-c", "exec \"$0\" \"$@\" | cat"]
      let piped = try Program(
        ["play", "--output", "null", "--duration", "1", station.url()], by: shell, terminal: terminal.program)
      #expect(piped.waitForError("Playing after") && terminal.modes == before)
      #expect(try piped.waitForEnd().code == 0 && terminal.modes == before)
      let program = try Program(["play", "--output", "null", station.url()], terminal: terminal.program)
      #expect(program.waitForError("Playing after") && terminal.modes != before)
      program.interrupt()
      #expect(try program.waitForEnd(within: 5).code == 0 && terminal.modes == before)
    }
  }
}
