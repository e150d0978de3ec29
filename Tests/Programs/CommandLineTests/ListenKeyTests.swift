import Foundation
import StationSupport
import TestSupport
import Testing

@testable import bakelite

/// The keys of `bakelite` alone while a station of the list plays (I6).
@Suite struct ListenKeyTests {
  @Test("While a station plays, / searches the list, and Enter plays the found station (I6)")
  func search() async throws {
    try await ListenRig.playFirst { terminal, station, _ in
      #expect(terminal.shows { $0[23].contains("/ searches") })
      terminal.press("/th q")
      #expect(terminal.shows("Search: th q▏  0 of 3") && terminal.shows("Playing "))
      terminal.press("\u{7F}\u{7F}")
      #expect(terminal.shows { $0[2].hasPrefix("→ 3  Three") && $0[3].isEmpty && $0[23].contains("Esc ends") })
      terminal.press("\r")
      #expect(terminal.shows { $0.contains { $0.hasPrefix("→♪3  Three  Nina") } }, "\(terminal.lines)")
      terminal.press("/o")
      #expect(terminal.shows { $0[0].contains("Search: o▏  1 of 3") && $0[2].hasPrefix("→ 1  One") })
      terminal.press("\u{1B}")
      #expect(terminal.shows { $0[0].contains("Bakelite  3 stations") && $0[4].hasPrefix("→♪3  Three  Nina") })
      terminal.press("q")
      #expect(terminal.shows { $0[4].hasPrefix("→ 3  Three") && $0[23].contains("Enter plays") })
      terminal.press("q")
      #expect(station.visits.map(\.path) == ["/One", "/Three"], "\(station.visits.map(\.path))")
    }
  }

  @Test("Numbers on the screen play the stations shown there, whatever another program changed in the list (I6)")
  func changedList() async throws {
    try await ListenRig.playFirst { terminal, station, rig in
      terminal.press("q")
      #expect(terminal.shows { $0[23].contains("Enter plays") && $0[3].hasPrefix("  2  Two") })
      let left = ["Three", "Four"].map { ($0, station.url("/\($0)")) }
      // An unusable station counts.
      rig.write([left[0], ("Bad", "no address"), left[1]])
      terminal.press("2")
      #expect(terminal.shows { $0[2].contains("1  Three") && $0[3].contains("3  Four") } && terminal.shows("Playing "))
      #expect(station.visits.last?.path == "/Two")
      terminal.press("2")
      #expect(terminal.shows("No station has the number 2."))
      terminal.press("3")
      #expect(terminal.shows { $0[3].hasPrefix("→♪3  Four   Nina") }, "\(terminal.lines)")
      terminal.press("1")
      #expect(terminal.shows { $0[2].hasPrefix("→♪1  Three") && station.visits.count == 4 }, "\(terminal.lines)")
      terminal.press("qq")
      #expect(station.visits.map(\.path) == ["/One", "/Two", "/Four", "/Three"])
    }
  }

  @Test("The reason why a key had no effect stays on lines of its own, whole in a narrow terminal (I6)")
  func reason() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let (rig, terminal) = (ListenRig([("One", station.url())]), try ScreenTerminal(40))
      let program = try rig.begin(on: terminal)
      #expect(terminal.shows("→ 1  One"))
      terminal.press("\r")
      #expect(terminal.shows("Playing "))
      terminal.press("k")
      let lines = ["  No title is known yet, so there is no", "  song to save; record instead."]
      #expect(terminal.shows { shown in lines.allSatisfy { shown.contains($0) } }, "\(terminal.lines)")
      terminal.press("m")
      #expect(terminal.shows("Muted") && terminal.lines.contains(lines[1]), "\(terminal.lines)")
      terminal.press("qq")
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  @Test("r records the playing station to the user's folder, with marks for recording and timer in the line (I6)")
  func records() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in ListenRig.titled("Nina - Sinnerman") }
      defer { station.close() }
      let (rig, terminal) = (ListenRig([("One", station.url())]), try ScreenTerminal(120))
      let program = try rig.begin(on: terminal)
      #expect(terminal.shows("→ 1  One"))
      terminal.press("\r")
      #expect(terminal.shows("Nina - Sinnerman") && terminal.shows("Playing "))
      terminal.press("zr")
      #expect(terminal.shows("Recording to One 2"), "\(terminal.lines)")
      #expect(terminal.shows("  REC 0:") && terminal.shows("  sleep 15 min"), "\(terminal.lines)")
      terminal.press("r")
      #expect(terminal.shows("Recorded ") && terminal.shows { !$0.contains { $0.contains("REC 0:") } })
      #expect(rig.recordings.count { $0.hasPrefix("One 2") && $0.hasSuffix(".mp3") } == 1, "\(rig.recordings)")
      terminal.press("qq")
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  @Test("? lists only keys that have an effect, in 46 columns (I6)")
  func help() async throws {
    for bits in 0..<(1 << 11) {
      func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
      let help = PlayHelp(
        isPlaying: bit(0), isLive: bit(1), seeks: bit(10), hasNext: bit(2), hasPrevious: bit(3), hasNumbers: bit(4),
        isRecording: bit(5), canRecord: bit(6), canKeep: bit(7), canAdd: bit(8), searches: bit(9))
      #expect(help.lines.contains { $0.contains("seek by 5 s") } == (bit(0) && bit(10)))
      #expect(help.lines.allSatisfy { $0.count <= 43 }, "\(help.lines)")
      #expect(help.lines.contains { $0.contains("record") } == (bit(5) || bit(6)))
    }
    try await Stage.run {
      let gate = Gate()
      let station = try ScriptedStation { _ in [.gate(gate)] + StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let (rig, terminal) = (ListenRig([("One", station.url())]), try ScreenTerminal(46))
      let program = try rig.begin(on: terminal)
      #expect(terminal.shows("→ 1  One"))
      terminal.press("?")
      #expect(terminal.shows("hide keys") && !terminal.lines.contains { $0.contains("…") && !$0.contains("1 … 9") })
      terminal.press("?\r")
      #expect(terminal.shows("Connecting"))
      terminal.press("?")
      #expect(terminal.shows("to the list") && !terminal.lines.contains { $0.contains("seek by") })
      gate.open()
      terminal.press("?")
      #expect(terminal.shows("Playing "))
      terminal.press("?")
      #expect(terminal.shows("to the list") && terminal.shows("record") && terminal.shows("seek by"))
      // The only station of the list, without a title.
      for words in ["next", "previous", "keep song", "add station", "1 … 9"] {
        #expect(!terminal.lines.contains { $0.contains(words) }, "\(words)")
      }
      terminal.press("qqq")
      #expect(try program.waitForEnd(within: 5).code == 0)
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
