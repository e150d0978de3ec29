import Foundation
import StationSupport
import TestSupport
import Testing

@testable import bakelite

/// The keys of `bakelite` alone while a station of the list plays (I6).
@Suite struct ListenKeyTests {
  @Test("While a station plays, / searches the list, and Enter plays the found station (I6)")
  func search() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in ListenRig.titled("Nina - Sinnerman") }
      defer { station.close() }
      let names = ["One", "Two", "Three"]
      let (rig, terminal) = (ListenRig(names.map { ($0, station.url("/\($0)")) }), try ScreenTerminal())
      let program = try rig.begin(on: terminal)
      #expect(terminal.shows("→ 1  One"))
      terminal.press("\r")
      #expect(terminal.shows { $0.contains { $0.hasPrefix("→♪1  One    Nina") } && $0[23].contains("/ searches") })
      terminal.press("/th q")
      #expect(terminal.shows("Search: th q▏  0 of 3") && terminal.shows("Playing "))
      terminal.press("\u{7F}\u{7F}")
      #expect(terminal.shows { $0[2].hasPrefix("→ 3  Three") && $0[3].isEmpty && $0[23].contains("Esc ends") })
      terminal.press("\r")
      #expect(terminal.shows { $0.contains { $0.hasPrefix("→♪3  Three  Nina") } }, "\(terminal.lines)")
      terminal.press("/o")
      #expect(terminal.shows { $0[0].contains("Search: o▏  1 of 3") && $0[2].hasPrefix("→ 1  One") })
      terminal.press("\u{1B}")
      #expect(terminal.shows { $0[0].contains("Bakelite  3 stations") && $0[4].hasPrefix(" ♪3  Three  Nina") })
      terminal.press("q")
      #expect(terminal.shows { $0[2].hasPrefix("→ 1  One") && $0[23].contains("Enter plays") })
      terminal.press("q")
      #expect(try program.waitForEnd(within: 5).code == 0)
      #expect(station.visits.map(\.path) == ["/One", "/Three"], "\(station.visits.map(\.path))")
    }
  }

  @Test("SIGTSTP restores the terminal and stops the program, and SIGCONT draws the list again (I6)")
  func stops() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      for isPlaying in [false, true] {
        let (rig, terminal) = (ListenRig([("One", station.url())]), try ScreenTerminal())
        let before = terminal.modes
        // The threads of the tests block the signal.
        let program = try Program(
          ["--output", "null"], by: ["/usr/bin/env", "--default-signal=TSTP"], environment: rig.environment,
          terminal: terminal.program)
        defer { program.signal(SIGKILL) }
        #expect(terminal.shows("→ 1  One") && terminal.modes != before)
        if isPlaying {
          terminal.press("\r")
          #expect(terminal.shows("Playing "))
        }
        program.signal(SIGTSTP)
        #expect(terminal.shows { _ in terminal.text.hasSuffix("\u{1B}[?25h\u{1B}[?1049l") })
        #expect(Self.hasStopped(program) && terminal.modes == before)
        program.signal(SIGCONT)
        #expect(terminal.shows("1  One") && terminal.modes != before)
        terminal.press(isPlaying ? "qq" : "q")
        #expect(try program.waitForEnd(within: 5).code == 0 && terminal.modes == before)
      }
    }
  }

  /// Waits until a program is stopped by a signal (proc(5)).
  private static func hasStopped(_ program: Program) -> Bool {
    let end = monotonicSeconds() + 10
    while monotonicSeconds() < end {
      let status = (try? String(contentsOfFile: "/proc/\(program.identifier)/stat", encoding: .utf8)) ?? ""
      if status.split(separator: ")").last?.hasPrefix(" T ") == true { return true }
      usleep(10_000)
    }
    return false
  }
}
