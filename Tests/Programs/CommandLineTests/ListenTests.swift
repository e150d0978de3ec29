import Foundation
import MediaSupport
import StationSupport
import TestSupport
import Testing

/// `bakelite` alone: the user's stations at a terminal (I6).
@Suite struct ListenTests {
  private static let some = [
    ("FIP", "http://127.0.0.1:9/fip"), ("FIP Jazz", "http://127.0.0.1:9/jazz"),
    ("Élodie Rock", "http://127.0.0.1:9/rock"),
  ]

  @Test("The list fills a terminal of any size (I6)", arguments: [(80, 24), (120, 40), (30, 6)])
  func list(columns: Int, rows: Int) async throws {
    try await Stage.run {
      let (rig, terminal) = (ListenRig(Self.some), try ScreenTerminal(columns, rows))
      let program = try rig.begin(on: terminal)
      let top = rows < 10 ? 0 : 2
      #expect(terminal.shows("3  Élodie Rock"))
      let lines = terminal.lines
      #expect(lines[top].hasPrefix("→ 1  FIP       ") && lines[top + 1].hasPrefix("  2  FIP Jazz"), "\(lines)")
      #expect(lines.allSatisfy { $0.count < columns } && lines[top + 3].isEmpty)
      if top > 0 {
        #expect(lines[0].hasPrefix("  Bakelite  3 stations") && lines[0].hasSuffix("/bakelite/stations.toml"))
        #expect(lines[rows - 1].contains("Enter plays") && lines[top].contains("http://127.0.0.1:9/fip"))
      }
      terminal.press("q")
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  @Test("A search narrows the list by words and number, and Esc ends it with the arrow as before (I6)")
  func search() async throws {
    try await Stage.run {
      let (rig, terminal) = (ListenRig(Self.some), try ScreenTerminal())
      let program = try rig.begin(on: terminal)
      #expect(terminal.shows("3 stations"))
      terminal.press("/ja f")
      #expect(terminal.shows { $0[0].contains("Search: ja f▏  1 of 3") && $0[2].hasPrefix("→ 2  FIP Jazz") })
      #expect(terminal.lines[3].isEmpty)
      terminal.press("\u{7F}\u{7F}\u{7F}\u{7F}elo")
      #expect(terminal.shows { $0[2].hasPrefix("→ 3  Élodie") && $0[3].isEmpty })
      terminal.press("x")
      #expect(terminal.shows("No station matches the search."))
      terminal.press("\r\u{7F}\u{7F}\u{7F}\u{7F}2")
      #expect(terminal.shows { $0[2].hasPrefix("→ 2  FIP Jazz") })
      terminal.press("\u{1B}")
      #expect(terminal.shows { $0[0].contains("Bakelite  3 stations") && $0[2].hasPrefix("→ 1  FIP") })
      terminal.press("?")
      #expect(terminal.shows("hide keys"))
      terminal.press("?\u{1B}[B")
      #expect(terminal.shows { $0[3].hasPrefix("→ 2") })
      // Before an empty search, the arrow stays too.
      terminal.press("/roc\u{7F}\u{7F}\u{7F}\u{7F}")
      #expect(terminal.shows { $0[0].contains("Bakelite  3 stations") && $0[3].hasPrefix("→ 2") })
      terminal.press("q")
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  @Test("Enter plays below the list with title and live line, and q returns to the list (I6)")
  func plays() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in ListenRig.titled("Nina - Sinnerman") }
      defer { station.close() }
      let (rig, terminal) = (ListenRig([("One", station.url()), ("Two", station.url("/two"))]), try ScreenTerminal())
      let before = terminal.modes
      let program = try rig.begin(on: terminal)
      #expect(terminal.shows("→ 1  One"))
      terminal.press("\u{1B}[B\r")
      #expect(terminal.shows { $0.contains { $0.hasPrefix("→♪2  Two  Nina - Sinnerman") } }, "\(terminal.lines)")
      #expect(terminal.shows("Playing ") && terminal.lines[23].contains("q stops, back to the list"))
      terminal.press("zz")
      #expect(terminal.shows("Sleep in 30 min"))
      terminal.press("f")
      #expect(terminal.shows("\"Two\" is already station 2"))
      terminal.press("?")
      #expect(terminal.shows("seek by 5 s"))
      terminal.press("q")
      #expect(terminal.shows { $0.contains { $0.hasPrefix("→ 2  Two") } && $0[23].contains("Enter plays") })
      #expect(terminal.shows("Played 0:") && !terminal.lines.contains { $0.contains("buffered") })
      terminal.press("1")
      #expect(terminal.shows { $0.contains { $0.hasPrefix("→♪1  One  Nina") } })
      terminal.press("qq")
      #expect(try program.waitForEnd(within: 5).code == 0)
      _ = terminal.shows(within: 0.2) { _ in false }
      #expect(terminal.modes == before && terminal.text.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
      #expect(Set(station.visits.map(\.path)) == ["/live", "/two"], "\(station.visits.map(\.path))")
    }
  }

  @Test("While a station plays, > and < and digits play its neighbours in the list (I6)")
  func neighbours() async throws {
    try await ListenRig.playFirst { terminal, _, _ in
      for (key, place) in [("<", 2), (">", 0), ("n", 1), ("3", 2)] {
        terminal.press(key)
        let row = "→♪\(place + 1)  " + ListenRig.three[place]
        #expect(terminal.shows { $0.contains { $0.hasPrefix(row) && $0.contains("Nina") } }, "\(terminal.lines)")
      }
      terminal.press("q")
      #expect(terminal.shows { $0.contains { $0.hasPrefix("→ 3  Three") } && $0[23].contains("Enter plays") })
      terminal.press("q")
    }
  }

  @Test("An unplayable neighbour waits for the next key (I6)")
  func unplayableNeighbour() async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        visit.path == "/Two" ? StationAction.response("404 Not Found") : ListenRig.titled("Nina - Sinnerman")
      }
      defer { station.close() }
      let rig = ListenRig(["One", "Two"].map { ($0, station.url("/\($0)")) })
      let terminal = try ScreenTerminal()
      let program = try rig.begin(on: terminal)
      #expect(terminal.shows("→ 1  One"))
      terminal.press("\r")
      #expect(terminal.shows { $0.contains { $0.hasPrefix("→♪1  One  Nina") } })
      terminal.press("n")
      #expect(terminal.shows("Waiting for the next command."), "\(terminal.lines)")
      terminal.press("<")
      #expect(terminal.shows { $0.contains { $0.hasPrefix("→♪1  One  Nina") } }, "\(terminal.lines)")
      terminal.press("qq")
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  @Test("An unplayable station leaves its reason in the list (I6)")
  func unplayable() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.response("404 Not Found") }
      defer { station.close() }
      let (rig, terminal) = (ListenRig([("One", station.url())]), try ScreenTerminal())
      let program = try rig.begin(on: terminal)
      #expect(terminal.shows("→ 1  One"))
      terminal.press("\r")
      #expect(terminal.shows("nothing at") && terminal.shows { $0[2].hasPrefix("→ 1  One") })
      #expect(terminal.shows("Enter plays"))
      terminal.press("q")
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  /// Reads from both terminals until they show the same lines.
  private static func agree(_ one: ScreenTerminal, _ other: ScreenTerminal) -> Bool {
    let end = monotonicSeconds() + 20
    while monotonicSeconds() < end {
      if one.shows(within: 0.05, { $0 == other.lines }) || other.shows(within: 0.05, { $0 == one.lines }) {
        return true
      }
    }
    return false
  }

  @Test("A resize redraws the list without old characters (I6)")
  func resize() async throws {
    try await Stage.run {
      let many = (1...60).map { ("Station number \($0)", "http://127.0.0.1:9/a/long/address/\($0)") }
      let (rig, terminal) = (ListenRig(many), try ScreenTerminal())
      let program = try rig.begin(on: terminal)
      #expect(terminal.shows("60 stations"))
      terminal.press("\u{1B}[6~")
      #expect(terminal.shows("→ 21"))
      for (columns, rows) in [(40, 12), (120, 40), (20, 5), (80, 24)] {
        terminal.resize(columns, rows, of: program)
        #expect(terminal.shows { $0.contains { $0.hasPrefix("→ 2") } && (rows < 10 || $0[rows - 1].contains("Enter")) })
        let fresh = try ScreenTerminal(columns, rows)
        let other = try rig.begin(on: fresh)
        #expect(fresh.shows(columns < 40 ? "Station num" : "Station number 1"))
        fresh.press("\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B")
        fresh.press("\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B\u{1B}[B")
        #expect(Self.agree(fresh, terminal), "\(fresh.lines) \(terminal.lines)")
        fresh.press("q")
        #expect(try other.waitForEnd(within: 5).code == 0)
      }
      terminal.press("q")
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  @Test(
    "SIGINT and SIGTERM restore the terminal, from the list and while a station plays (I6)",
    arguments: [SIGINT, SIGTERM])
  func signals(number: Int32) async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      for isPlaying in [false, true] {
        let (rig, terminal) = (ListenRig([("One", station.url())]), try ScreenTerminal())
        let before = terminal.modes
        let program = try rig.begin(on: terminal)
        #expect(terminal.shows("→ 1  One") && terminal.modes != before)
        if isPlaying {
          terminal.press("\r")
          #expect(terminal.shows("Playing "))
        }
        program.signal(number)
        #expect(try program.waitForEnd(within: 5).code == 0)
        _ = terminal.shows(within: 0.2) { _ in false }
        #expect(terminal.modes == before && terminal.text.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
      }
    }
  }

  @Test("Without a terminal, or with TERM=dumb, the list is plain lines (I6)")
  func plain() async throws {
    try await Stage.run {
      let rig = ListenRig(Self.some)
      let lines = """
        1  FIP          http://127.0.0.1:9/fip
        2  FIP Jazz     http://127.0.0.1:9/jazz
        3  Élodie Rock  http://127.0.0.1:9/rock

        """
      for arguments in [[], ["listen"]] {
        let piped = try Program(arguments, environment: rig.environment).waitForEnd()
        #expect((piped.code, piped.outputText, piped.errors) == (0, lines, ""))
      }
      let terminal = try ScreenTerminal()
      let dumb = try Program(
        [], environment: rig.environment.merging(["TERM": "dumb"]) { $1 }, terminal: terminal.program)
      #expect(try dumb.waitForEnd().code == 0)
      #expect(terminal.shows(within: 1) { _ in terminal.text.contains("2  FIP Jazz     http") })
      #expect(!terminal.text.contains("\u{1B}"))
      let help = try rig.run("--help")
      #expect(help.code == 0 && help.outputText.contains("SUBCOMMANDS"))
    }
  }

  @Test("Without stations the next steps are shown; a faulty list is reported with its line (I6)")
  func empty() async throws {
    try await Stage.run {
      for rig in [ListenRig(nil), ListenRig([])] {
        let outcome = try rig.run()
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        #expect(outcome.outputText.contains("bakelite find WORDS --add 1\n  bakelite play URL"))
        let terminal = try ScreenTerminal()
        let program = try rig.begin(on: terminal)
        #expect(try program.waitForEnd(within: 5).code == 0)
        #expect(terminal.shows(within: 1) { _ in terminal.text.contains("You have no stations yet.") })
      }
      let rig = ListenRig([("FIP", "no address")])
      let outcome = try rig.run()
      #expect(outcome.code == 2 && outcome.errors.contains("stations.toml, line 3"), "\(outcome.errors)")
    }
  }

  @Test("The list is painted once, by one thread, after one read of one file and without the directory (I6)")
  func firstPaint() async throws {
    try await Stage.run {
      let rig = ListenRig((1...500).map { ("Station \($0)", "http://127.0.0.1:9/\($0)") })
      mkdir(rig.folder.path + "/cache", 0o700)
      mkdir(rig.folder.path + "/cache/bakelite", 0o700)
      rig.folder.write([], to: "cache/bakelite/directory")
      let watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      defer { close(watch) }
      // The kernel merges equal events, but a second read also closes the file in between.
      let mask = UInt32(IN_OPEN | IN_CLOSE | IN_CREATE | IN_MODIFY)
      for folder in ["bakelite", "cache/bakelite"] {
        #expect(inotify_add_watch(watch, rig.folder.path + "/" + folder, mask) > 0)
      }
      let terminal = try ScreenTerminal()
      let program = try Program(
        ["--output", "null"],
        environment: rig.environment.merging(["XDG_CACHE_HOME": rig.folder.path + "/cache"]) { $1 },
        terminal: terminal.program)
      #expect(terminal.shows("Enter plays"))
      #expect(terminal.text.components(separatedBy: "\u{1B}[2J").count == 2, "painted once")
      let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.identifier)/task")
      #expect(threads.count == 1)
      var events = [UInt8](repeating: 0, count: 4_096)
      let count = read(watch, &events, events.count)
      var touched: [String] = []
      var place = 0
      while place + 16 <= count {
        let length = Int(events[place + 12]) | Int(events[place + 13]) << 8
        touched.append(String(decoding: events[place + 16..<place + 16 + length].prefix { $0 != 0 }, as: UTF8.self))
        place += 16 + length
      }
      #expect(touched == ["stations.toml", "stations.toml"], "opened and closed once")
      terminal.press("q")
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }

  @Test("500 stations are listed at once (I6)")
  func many() async throws {
    try await Stage.run {
      let rig = ListenRig((1...500).map { ("Station \($0)", "http://127.0.0.1:9/\($0)") })
      let terminal = try ScreenTerminal()
      let start = monotonicSeconds()
      let program = try rig.begin(on: terminal)
      #expect(terminal.shows("→   1  Station 1 "))
      // An optimized program on an idle machine needs less than 100 ms.
      #expect(monotonicSeconds() - start < 2)
      terminal.press("\u{1B}[F")
      #expect(terminal.shows("→ 500  Station 500"))
      terminal.press("/77")
      #expect(terminal.shows { $0[0].contains("Search: 77▏  1 of 500") && $0[2].hasPrefix("→  77  Station 77") })
      terminal.press("\u{1B}")
      #expect(terminal.shows("Bakelite  500 stations"))
      terminal.press("q")
      #expect(try program.waitForEnd(within: 5).code == 0)
    }
  }
}
