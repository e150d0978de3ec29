import Foundation
import MediaSupport
import PanelLinux
import Settings
import StationSupport
import TestSupport
import Testing

@testable import bakelite

/// `play NAME` and `play NUMBER` (I6).
@Suite struct PlayPlacesTests {
  private static let names = [
    "FIP", "FIP Jazz", "Jazz Radio", "Élodie Rock", "Radio 2.0", "radio.example", "宇多田", "Deutschlandfunk Kultur",
  ]

  private static var list: StationList {
    let text = names.map { "[[station]]\nname = \"\($0)\"\nurl = \"http://a.example/\"\n" }.joined()
    return StationList.read(Array(text.utf8), file: "stations.toml")
  }

  /// The names of stations, and other words in brackets.
  private static func places(_ words: [String]) throws -> [String] {
    try PlayPlaces(words) { list }.all.map { place in
      switch place {
      case .address(let text): "[\(text)]"
      case .station(let entry): entry.station.name
      }
    }
  }

  @Test(
    "A word selects a station by name, number, or start of the name or of its words (I6)",
    arguments: [
      (["FIP"], ["FIP"]), (["fip"], ["FIP"]), (["fip j"], ["FIP Jazz"]), (["jazz r"], ["Jazz Radio"]),
      (["1"], ["FIP"]), (["4"], ["Élodie Rock"]), (["elodie"], ["Élodie Rock"]), (["rock"], ["Élodie Rock"]),
      (["Radio 2.0"], ["Radio 2.0"]), (["radio.example"], ["radio.example"]), (["宇多田"], ["宇多田"]),
      (["kultur"], ["Deutschlandfunk Kultur"]),
      (["jazz fip"], ["FIP Jazz"]), (["fip", "jazz"], ["FIP Jazz"]), (["1", "3"], ["FIP", "Jazz Radio"]),
      (["rock", "fip"], ["Élodie Rock", "FIP"]), (["fip", "http://a/"], ["FIP", "[http://a/]"]),
      (["other.example"], ["[other.example]"]), (["radio.example/live"], ["[radio.example/live]"]),
      (["fip.mp3"], ["[fip.mp3]"]), (["./FIP"], ["[./FIP]"]), (["/FIP"], ["[/FIP]"]),
      (["localhost"], ["[localhost]"]), (["fip:8000"], ["[fip:8000]"]),
      (["/dev/null", "FIP"], ["[/dev/null]", "FIP"]),
    ])
  func selects(words: [String], stations: [String]) throws { #expect(try Self.places(words) == stations) }

  @Test("A number of the list precedes a name; a larger number is a name (I6)")
  func numbers() throws {
    let names = ["3", "FIP", "Jazz", "77"]
    let text = names.map { "[[station]]\nname = \"\($0)\"\nurl = \"http://a/\"\n" }.joined()
    let list = StationList.read(Array(text.utf8), file: "a")
    for (word, name) in [("3", "Jazz"), ("1", "3"), ("77", "77"), ("4", "77")] {
      guard case .station(let entry)? = try PlayPlaces([word], { list }).all.first else { return #expect(Bool(false)) }
      #expect(entry.station.name == name)
    }
  }

  @Test("A file with the name of a station is played, and a name plays its station with its options (I6)")
  func plays() async throws {
    try await Stage.run {
      let clip = Clip.mp3(1)
      let station = try ScriptedStation { _ in StationAction.file(clip.bytes) }
      defer { station.close() }
      let rig = ListenRig([("FIP", station.url("/fip")), ("Jazz Radio", station.url("/jazz"))])
      rig.folder.write(Array((rig.list + "user_agent = \"Mine\"\n").utf8), to: "bakelite/stations.toml")
      let options = ["play", "--output", "null", "--pace", "free"]
      for word in ["jazz", "2"] {
        let outcome = try Program(options + [word], environment: rig.environment).waitForEnd()
        #expect(outcome.code == 0, "\(outcome.errors)")
      }
      #expect(station.visits.allSatisfy { $0.path == "/jazz" && $0.head.contains("User-Agent: Mine") })
      rig.folder.write(clip.bytes, to: "FIP")
      let file = try Program(options + ["FIP"], environment: rig.environment, directory: rig.folder.path).waitForEnd()
      #expect(file.code == 0 && !station.visits.contains { $0.path == "/fip" }, "\(file.errors)")
    }
  }

  @Test(
    "Numbers, next and previous of `play NAME` move through the user's list, and wrap (I6)", arguments: ["two", "2"])
  func favourites(word: String) async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        visit.path == "/gone" ? StationAction.response("404 Not Found") : ListenRig.titled("Nina - Sinnerman")
      }
      defer { station.close() }
      let rig = ListenRig(
        ["One", "Two", "Three", "Gone"].map { ($0, station.url("/\($0.lowercased())")) })
      let (terminal, socket) = (try Terminal(), rig.folder.path + "/socket")
      let program = try Program(
        ["play", "--output", "null", "--control", socket, word], environment: rig.environment,
        terminal: terminal.program)
      #expect(program.waitForError("Playing after"))
      let peer = try ControlPeer(socket)
      #expect(peer.status()["station"] == "Two")
      func ctl(_ words: String...) throws -> Int32 {
        try Program(["ctl", "--socket", socket] + words).waitForEnd().code
      }
      #expect(try ctl("next") == 0 && peer.waitForText("Three", "station"))
      #expect(try ctl("tune", "1") == 0 && peer.waitForText("One", "station"))
      #expect(peer.request("previous") == [] && peer.waitForText("Gone", "station"))
      #expect(program.waitForError("Waiting for the next command."))
      terminal.press(">")
      #expect(peer.waitForText("One", "station") && peer.waitForValue("playing"))
      terminal.press("<")
      #expect(peer.waitForText("Gone", "station") && peer.waitForValue("stopped"))
      terminal.press("3")
      #expect(peer.waitForText("Three", "station") && peer.waitForValue("playing"))
      let visitCount = station.visits.count
      terminal.press("38")
      #expect(program.waitForError("No station has the number 8."))
      #expect(station.visits.count == visitCount, "a playing station is not tuned again")
      terminal.press("q")
      #expect(try program.waitForEnd(within: 10).code == 0)
    }
  }

  @Test(
    "An unknown or ambiguous name is refused with the nearest name or the candidates (I6)",
    arguments: [
      ("fib", "did you mean \"FIP\"?"), ("7", "`bakelite` lists your stations."),
      ("kultru", "did you mean \"Deutschlandfunk Kultur\"?"),
      ("f", "\"f\" fits 2 stations: 1 \"FIP\", 2 \"FIP Jazz\". Type more of the name, or the number."),
      ("xyzzy\u{1B}[31m", "There is no station \"xyzzy[31m\", and no file /"),
    ])
  func refused(word: String, sentence: String) async throws {
    try await Stage.run {
      let names = ["FIP", "FIP Jazz", "Deutschlandfunk Kultur"]
      let rig = ListenRig(names.map { ($0, "http://127.0.0.1:9/\($0.count)") })
      let outcome = try rig.run("play", "--output", "null", word)
      #expect(outcome.code == 2 && outcome.errors.contains(sentence), "\(outcome.errors)")
      expectClean(outcome.errors)
      let none = try ListenRig(nil).run("play", "--output", "null", word)
      #expect(none.code == 2 && none.errors.contains("`bakelite find WORDS --add 1` adds one."), "\(none.errors)")
    }
  }

  @Test("The first `find --add` creates the user's own list, and `bakelite` shows it (G1, I6)")
  func firstFavourite() async throws {
    try await Stage.run {
      let directory = try FindRig([])
      try directory.make(date: 1_700_000_000)
      let rig = ListenRig(nil)
      let words = ["find", "--add", "1", "--config", directory.folder.path + "/bakelite.toml"]
      let added = try Program(words, environment: rig.environment, directory: rig.folder.path).waitForEnd()
      guard !FileManager.default.fileExists(atPath: "/etc/bakelite/stations.toml") else { return }
      #expect(added.code == 0 && added.errors.hasSuffix("/bakelite/stations.toml.\n"), "\(added.errors)")
      let name = try #require(added.errors.split(separator: "\"").first)
      #expect(try rig.run().outputText.contains("1  \(name)  "))
      #expect(try rig.run("stations", "list").outputText.contains("1  \(name)  "))
      // The list of a source tree stays as it is.
      let sources = rig.folder.path + "/config"
      try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
      try "".write(toFile: sources + "/stations.toml", atomically: false, encoding: .utf8)
      let second = ["stations", "add", "Two", "http://127.0.0.1:9/"]
      let more = try Program(second, environment: rig.environment, directory: rig.folder.path).waitForEnd()
      let isOwn = more.errors.hasPrefix("\"Two\" is station 2 of /")
      #expect(isOwn && more.errors.hasSuffix("/bakelite/stations.toml.\n"), "\(more.errors)")
      #expect(rig.list.contains("Two"))
      #expect(try String(contentsOfFile: sources + "/stations.toml", encoding: .utf8) == "")
      #expect(try rig.run("stations", "remove", "1").code == 0 && !rig.list.contains(name))
    }
  }
}

/// The keys of `play` and `panel` (I6).
@Suite struct SharedKeyTests {
  private static let keys: [TerminalKey] =
    (0x20..<0x7F).map { .character(Character(UnicodeScalar($0))) }
    + [.up, .down, .left, .right, .enter, .escape, .tab, .backspace, .delete, .home, .end, .pageUp, .pageDown]

  @Test("A key of both `play` and `panel` has one meaning, except ↑ and ↓ (I6)")
  func agreement() throws {
    var differing: [TerminalKey] = []
    for key in Self.keys {
      guard let play = PlayKey(key), let panel = PanelKey(key) else { continue }
      if case .station(let number) = play, number == panel.preset { continue }
      guard case .shared(let action) = play, action == panel.shared else {
        differing.append(key)
        continue
      }
    }
    #expect(differing == [.up, .down])
    let shared = Self.keys.compactMap { SharedKey($0) }
    #expect(Set(shared) == Set(SharedKey.allCases), "each action has a key")
    for action in SharedKey.allCases {
      let both = [PlayKey.list, PanelKey.list].map { list in list.joined(separator: "\n").contains("\(action.name)  ") }
      #expect(both == [true, true], "\(action) is in both lists")
    }
    #expect("123456789".map { PlayKey(.character($0)) } == (1...9).map { .station($0) })
    let letters = "krlzf?".map { SharedKey(.character($0)) }
    #expect(letters == [.keep, .record, .live, .sleep, .favourite, .help])
  }

  @Test("The sleep timer of `play` cycles through its minutes, from the remaining time (I6)")
  func sleep() {
    var timer = SleepCycle()
    #expect(!timer.isOver(at: 1e9))
    let words = (0..<5).map { timer.step(at: Double($0)) }
    #expect(words == [15, 30, 60, 90].map { "Sleep in \($0) min" } + ["Sleep timer: off"])
    #expect(timer.step(at: 100) == "Sleep in 15 min" && !timer.isOver(at: 999) && timer.isOver(at: 1_000))
    #expect(timer.step(at: 1_700) == "Sleep in 15 min", "the time is over")
  }

  @Test("l, k, r and f act in `play`, or a word says why not (I6)")
  func play() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in ListenRig.titled("Nina - Sinnerman") }
      defer { station.close() }
      let (rig, terminal) = (ListenRig(nil), try Terminal())
      let record = rig.folder.path + "/evening.mp3"
      let program = try Program(
        ["play", "--output", "null", "--recordings", rig.folder.path, "--record", record, station.url("/live")],
        environment: rig.environment, terminal: terminal.program)
      #expect(program.waitForError("Playing after") && program.waitForError("Title: Nina"))
      terminal.press("\u{1B}[Dl")
      #expect(program.waitForError("Live"))
      terminal.press("f")
      #expect(program.waitForError("\"Test FM\" is now station 1 of your list."))
      terminal.press("f")
      #expect(program.waitForError("\"Test FM\" is already station 1 of your list."))
      #expect(rig.list.contains("name = \"Test FM\"\nurl = \"\(station.url("/live"))\""))
      terminal.press("r")
      #expect(program.waitForError("The recording ends.") && program.waitForError("Recorded "))
      terminal.press("r")
      #expect(program.waitForError("Recording to \(record)"))
      terminal.press("k")
      #expect(program.waitForError("Keeping \"Nina - Sinnerman\""))
      terminal.press("zz")
      #expect(program.waitForError("Sleep in 30 min"))
      terminal.press("q")
      #expect(try program.waitForEnd(within: 10).code == 0)
      let song = rig.folder.write(ToneMp3.hum(60), to: "song.mp3")
      let file = try Program(
        ["play", "--output", "null", song], environment: rig.environment, terminal: terminal.program)
      #expect(file.waitForError("Opening file://") && file.waitForError("Playing after"))
      terminal.press("lrk")
      #expect(file.waitForError("A file has no live position.") && file.waitForError("needs `bakelite play --record"))
      terminal.press("q")
      #expect(try file.waitForEnd(within: 5).code == 0)
    }
  }

  @Test("Another program's lock on the list delays neither `play` nor `panel`, and f reports its result (I6)")
  func lockedList() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in ListenRig.titled("Nina - Sinnerman") }
      defer { station.close() }
      let (rig, terminal, screen) = (ListenRig([]), try Terminal(), try ScreenTerminal(200))
      let (url, socket) = (station.url("/live"), rig.folder.path + "/socket")
      let words = ["play", "--output", "null", "--control", socket, url]
      let program = try Program(words, environment: rig.environment, terminal: terminal.program)
      #expect(program.waitForError("Playing after"))
      let lock = try #require(ListLock(rig.folder.path + "/bakelite/.stations.toml.lock"))
      terminal.press("f-f")
      #expect(program.waitForError("Another station is being added; try again."))
      #expect(program.waitForError("another program is changing it; try again later"))
      let errors = program.errorsSoFar
      let (volume, failure) = (errors.range(of: "Volume: 98 %"), errors.range(of: "another program is changing it"))
      #expect(try #require(volume).lowerBound < #require(failure).lowerBound, "\(errors)")
      let panel = try Program(["panel", "--socket", socket], environment: rig.environment, terminal: screen.program)
      #expect(screen.shows("Playing: Test FM"))
      screen.press("f-")
      #expect(screen.shows("Volume: 96 %") && !screen.text.contains("try again later"))
      #expect(screen.shows("try again later"))
      screen.press("fq")
      let shown = try panel.waitForEnd(within: 10)
      #expect(shown.code == 0 && shown.errors.hasSuffix("try again later.\n"), "\(shown.errors)")
      terminal.press("fq")
      let outcome = try program.waitForEnd(within: 10)
      #expect(outcome.code == 0 && outcome.errors.hasSuffix("try again later.\n"), "\(outcome.errors)")
      lock.release()
    }
  }

  /// The lock that another program has on the list.
  private struct ListLock {
    let file: Int32

    init?(_ path: String) {
      file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0, flock(file, LOCK_EX) == 0 else { return nil }
    }

    func release() { close(file) }
  }

  @Test("The panel of a radio with favourites moves through the list by number and arrow (I6)")
  func panelFavourites() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in ListenRig.titled("Nina - Sinnerman") }
      defer { station.close() }
      let rig = ListenRig(["One", "Two", "Three"].map { ($0, station.url("/\($0)")) })
      let (terminal, socket) = (try ScreenTerminal(), rig.folder.path + "/socket")
      let radio = try Program(
        ["play", "--output", "null", "--control", socket, "one"], environment: rig.environment)
      #expect(radio.waitForError("Playing after"))
      let panel = try Program(["panel", "--socket", socket], environment: rig.environment, terminal: terminal.program)
      #expect(terminal.shows(": One"))
      for (key, name) in [("2", "Two"), ("\u{1B}[B", "Three"), ("\u{1B}[B", "One"), ("\u{1B}[A", "Three")] {
        terminal.press(key)
        #expect(terminal.shows(": \(name)"), "\(terminal.lines)")
      }
      terminal.press("\t")
      #expect(terminal.shows("This radio has no menu"))
      terminal.press("-")
      #expect(
        terminal.shows(within: 2) { lines in
          lines.contains { $0.contains("98 %") } && !lines.contains { $0.contains("no menu") }
        })
      terminal.press("q")
      #expect(try panel.waitForEnd(within: 5).code == 0)
      radio.interrupt()
      #expect(try radio.waitForEnd(within: 10).code == 0)
    }
  }

  @Test("`bakelite panel` shows and controls a radio of `play --control` (I6)")
  func panel() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in ListenRig.titled("Nina - Sinnerman") }
      defer { station.close() }
      let (rig, terminal) = (ListenRig(nil), try ScreenTerminal())
      let socket = rig.folder.path + "/socket"
      let radio = try Program(
        ["play", "--output", "null", "--recordings", rig.folder.path, "--control", socket, station.url("/live")])
      #expect(radio.waitForError("Playing after"))
      let peer = try ControlPeer(socket)
      let panel = try Program(["panel", "--socket", socket], environment: rig.environment, terminal: terminal.program)
      #expect(terminal.shows("Playing: Test FM") && terminal.shows("Title: Nina - Sinnerman"))
      terminal.press("--")
      #expect(peer.waitForNumber("volume") { $0 == 96 } && terminal.shows("Volume: 96 %"))
      terminal.press("m")
      #expect(terminal.shows("muted"))
      terminal.press(" ")
      #expect(peer.waitForValue("paused") && terminal.shows("Paused: Test FM"))
      terminal.press(" f")
      #expect(terminal.shows("\"Test FM\" is now station 1 of your list.") && peer.waitForValue("playing"))
      terminal.press("r")
      #expect(terminal.shows("Recording: "))
      terminal.press("rk")
      #expect(terminal.shows("Keeping Nina - Sinnerman"))
      terminal.press("z")
      #expect(terminal.shows("the key z of its own terminal"))
      terminal.press("\t")
      #expect(terminal.shows("This radio has no menu, knob or standby."))
      terminal.press("?")
      #expect(terminal.shows("record, end the recording"))
      terminal.press("q")
      #expect(try panel.waitForEnd(within: 5).code == 0)
      radio.interrupt()
      #expect(try radio.waitForEnd(within: 10).code == 0)
    }
  }
}
