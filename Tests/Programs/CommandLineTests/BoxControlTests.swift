import Foundation
import MediaSupport
import Network
import StationSupport
import TestSupport
import Testing

/// The box driven by programs: its socket, `bakelite ctl`, `bakelite panel` (D13).
@Suite struct BoxControlTests {
  @Test("Clients tune, set the volume and read the display, and their changes are stored (D13)")
  func driven() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one")), ("Two", station.url("/two"))])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      var status = stat()
      #expect(stat(box.socket, &status) == 0 && status.st_mode & 0o777 == 0o660, "only its group gets in")
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("playlist") == ["0:file: \(station.url("/one"))", "1:file: \(station.url("/two"))"])
      #expect(peer.request("radio_tune Two") == [] && box.manager.receives("STATUS=playing: Two"))
      #expect(peer.request("radio_turn 3 volume") == [] && peer.request("setvol 44") == [])
      #expect(peer.waitForNumber("volume") { $0 == 44 })
      #expect(peer.request("radio_press menu") == [])
      let rows = try #require(peer.request("radio_display"))
      #expect(rows.contains("columns: 20") && rows.contains { $0.hasPrefix("row_1: ") && $0.contains("Find stations") })
      #expect(peer.request("radio_press nothing")?.first?.hasPrefix("ACK [50@0] {radio_press}") == true)
      #expect(peer.request("radio_press menu sideways")?.first?.hasPrefix("ACK [2@0] {radio_press}") == true)
      #expect(peer.request("radio_turn 3 around")?.first?.hasPrefix("ACK [2@0] {radio_turn}") == true)
      #expect(peer.request("add \(station.url("/three"))") == [] && peer.request("play 2") == [])
      #expect(box.manager.receives("STATUS=playing: "))
      let told = try Program.run("ctl", "--socket", box.socket, "status", "--json")
      #expect(told.code == 0 && told.outputText.contains("\"volume\":44"))
      #expect(try box.switchOff().code == 0)
      #expect(box.state.contains("volume=44\n") && box.state.contains("station_url=\(station.url("/three"))\n"))
      // The last station is restored even if no file lists the station.
      try box.start()
      #expect(box.manager.receives("STATUS=playing: ") && station.visits.last?.path == "/three")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("Queue changes leave the presets alone, and survive a restart and other presets")
  func queue() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let (one, two, three) = (station.url("/one"), station.url("/two"), station.url("/three"))
      let box = try Box(stations: [("One", one), ("Two", two)])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("clear") == [] && peer.request("playlist") == [])
      #expect(peer.request("listplaylist Presets") == ["file: \(one)", "file: \(two)"])
      #expect(peer.request("radio_display")?.contains { $0.contains("No stations") } == false)
      #expect(peer.request("radio_press preset_2") == [] && box.manager.receives("STATUS=playing: Two"))
      #expect(peer.request("add \(three)") == [] && peer.request("move 1 0") == [])
      let queue = ["0:file: \(three)", "1:file: \(two)"]
      #expect(peer.request("playlist") == queue)
      #expect(try box.switchOff().code == 0)
      box.write([("Nought", station.url("/nought")), ("Two", two)])
      let program = try box.start()
      #expect(box.manager.receives("STATUS=playing: Two"))
      let again = try ControlPeer(box.socket)
      #expect(again.request("playlist") == queue)
      #expect(again.request("listplaylist Presets") == ["file: \(station.url("/nought"))", "file: \(two)"])
      for (text, words) in [
        ("[[station]]\nname = \"Hal", "stations.toml, line 2"), ("\n", "stations.toml contains no usable station"),
      ] {
        box.folder.write(Array(text.utf8), to: "stations.toml")
        program.signal(SIGHUP)
        #expect(program.waitForError(words) && program.waitForError("The 2 stations stay as they were."))
        #expect(again.request("radio_reload")?.contains { $0.hasPrefix("problem: ") && $0.contains(words) } == true)
      }
      #expect(again.request("listplaylist Presets")?.count == 2 && again.request("playlist") == queue)
      #expect(try box.switchOff().code == 0)
      box.write([("One", one)])
      box.folder.write(Array("bakelite-queue 1\nurl=x\n".utf8), to: "queue")
      let third = try box.start()
      #expect(third.waitForError("its queue is damaged") && box.manager.receives("STATUS=playing: "))
      #expect(try ControlPeer(box.socket).request("playlist")?.first == "0:file: \(one)")
      #expect(try box.switchOff().code == 0)
    }
  }

  private static let refused = [
    ("add Two ftp://x", "[2@0] {radio_preset} url must be"), ("add Three http://x/", "there is already a station"),
    ("remove 9", "[50@0] {radio_preset} There is no preset 9; they are 1 to 3"),
    ("move Three 7", "there is no place 7"),
    ("edit Three gain 99", "gain must lie between -60 and 12 dB"), ("dance", "There is no dance"),
    ("add File file:///etc/hostname", "no file of this machine is opened"),
    ("edit Three user @/etc/hostname", "no file of this machine is opened"),
    ("move Three", "wrong number of arguments"),
  ]

  @Test(
    "Presets and settings from run time go to owner.toml, apply at once and survive a restart (D16)")
  func owner() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one")), ("Two", station.url("/two"))])
      let before = [box.folder.bytes(of: "stations.toml"), box.folder.bytes(of: "bakelite.toml")]
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      func names() -> [String] {
        let lines = peer.request("listplaylistinfo Presets") ?? []
        return lines.filter { $0.hasPrefix("Name: ") }.map { String($0.dropFirst(6)) }
      }
      #expect(
        peer.request("radio_preset add Three \(station.url("/three"))") == [] && names() == ["One", "Two", "Three"])
      #expect(peer.request("radio_preset move Three 1") == [] && names() == ["Three", "One", "Two"])
      #expect(peer.request("radio_preset edit 3 name Second") == [] && names() == ["Three", "One", "Second"])
      #expect(peer.request("radio_preset remove One") == [] && names() == ["Three", "Second"])
      #expect(peer.request("playlist")?.count == 3, "what plays stays in a queue that follows the presets")
      #expect(peer.request("radio_preset add") == [] && names() == ["Three", "Second", "One"])
      #expect(
        peer.request("radio_preset add")?.first?.hasPrefix("ACK [56@0] {radio_preset} That is preset 3 already") == true
      )
      for (command, words) in Self.refused {
        #expect(peer.request("radio_preset \(command)")?.first?.contains(words) == true, "\(command)")
      }
      // A new address does not receive the credentials for the old server.
      #expect(peer.request("radio_preset edit Three user me:word") == [])
      #expect(peer.request("radio_preset edit Three url http://127.0.0.1:9/elsewhere") == [])
      #expect(try Program.run("ctl", "--socket", box.socket, "setting", "panel.scroll_ms").code == 0)
      #expect(peer.request("radio_setting panel.scroll_ms 200") == ["applies: now", "panel.scroll_ms: 200"])
      #expect(peer.request("radio_setting buffer.wait_live 4") == ["applies: restart", "buffer.wait_live: 4"])
      #expect(peer.request("radio_setting panel.scroll_ms 5")?.first?.contains("between 100 and 5000 ms") == true)
      #expect(peer.request("radio_setting control.listen x")?.first?.contains("stands in bakelite.toml alone") == true)
      #expect(peer.request("radio_setting")?.contains("panel.scroll_ms: 200") == true)
      #expect(try box.switchOff().code == 0)
      let text = String(decoding: box.folder.bytes(of: "owner.toml"), as: UTF8.self)
      #expect(text.contains("scroll_ms = 200") && text.contains("name = \"Second\""), "\(text)")
      #expect(text.contains("elsewhere") && !text.contains("me:word"))
      #expect(before == [box.folder.bytes(of: "stations.toml"), box.folder.bytes(of: "bakelite.toml")])
      let second = try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      let again = try ControlPeer(box.socket)
      #expect(
        again.request("listplaylist Presets")?.count == 3
          && again.request("radio_setting panel.scroll_ms")?.last == "panel.scroll_ms: 200")
      #expect(again.request("radio_setting panel.scroll_ms reset")?.last == "panel.scroll_ms: 350")
      // An error in the file changes nothing; the next start renames the file.
      try waitForOwner(of: box) { !$0.contains("scroll_ms") }
      box.folder.write(Array("order = 3\n".utf8), to: "owner.toml")
      second.signal(SIGHUP)
      #expect(second.waitForError("Settings that were changed at run time stay as they were"))
      #expect(again.request("listplaylist Presets")?.count == 3)
      #expect(try box.switchOff().code == 0)
      let third = try box.start()
      #expect(third.waitForError("owner.toml.broken") && box.manager.receives("STATUS=playing: One"))
      #expect(try ControlPeer(box.socket).request("listplaylist Presets")?.count == 2)
      #expect(try box.switchOff().code == 0)
    }
  }

  private func waitForOwner(of box: Box, _ isSo: (String) -> Bool) throws {
    let deadline = monotonicSeconds() + 10
    while !isSo(String(decoding: box.folder.bytes(of: "owner.toml"), as: UTF8.self)) {
      try #require(monotonicSeconds() < deadline)
      usleep(10_000)
    }
  }

  @Test("Home Assistant and Music Assistant list each station as a source, and their queue leaves presets alone")
  func assistants() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one")), ("Two", station.url("/two"))])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      let (peer, watcher) = (try ControlPeer(box.socket), try ControlPeer(box.socket))
      func values(_ key: String, _ command: String) -> [String] {
        (peer.request(command) ?? []).filter { $0.hasPrefix(key + ": ") }.map { String($0.dropFirst(key.count + 2)) }
      }
      let used =
        "status currentsong listplaylists listplaylistinfo load clear add addid play playid pause stop next idle"
      #expect(Set(used.split(separator: " ").map(String.init)).isSubset(of: values("command", "commands")))
      #expect(values("playlist", "listplaylists") == ["Presets", "One", "Two"])
      for (source, name) in [("Two", "Two"), ("Presets", "One")] {
        for command in ["clear", "load \"\(source)\"", "play"] { #expect(peer.request(command) == []) }
        #expect(box.manager.receives("STATUS=playing: \(name)") && values("Name", "currentsong") == [name])
      }
      #expect(peer.request("command_list_begin\nstop\nclear\ncommand_list_end") == [])
      let ids = values("Id", "addid \(station.url("/track1"))") + values("Id", "addid \(station.url("/track2"))")
      try #require(ids.count == 2)
      #expect(peer.request("playid \(ids[0])") == [] && values("songid", "status") == [ids[0]])
      watcher.send(Array("idle player playlist stored_playlist\n".utf8))
      #expect(
        peer.request("next") == [] && watcher.waitForReceived("changed: player")
          && values("songid", "status") == [ids[1]])
      #expect(peer.request("clear") == [] && values("Name", "listplaylistinfo Presets") == ["One", "Two"])
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("mpc crops, clears and deletes the queue, and loads the presets", .enabled(if: Repository.tool("mpc") != nil))
  func mpc() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one")), ("Two", station.url("/two"))])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      func mpc(_ words: String...) throws -> String {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: Repository.tool("mpc") ?? "")
        process.arguments = ["--host", box.socket] + words
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
      }
      #expect(try mpc("lsplaylists") == "Presets\nOne\nTwo\n")
      #expect(try mpc("-q", "crop") == "" && mpc("playlist", "-f", "%name%") == "One\n")
      #expect(try mpc("-q", "clear") == "" && mpc("playlist") == "")
      #expect(try mpc("load", "Presets") == "loading: Presets\n" && mpc("playlist", "-f", "%name%") == "One\nTwo\n")
      #expect(try mpc("-q", "del", "1") == "" && mpc("playlist", "-f", "%name%") == "Two\n")
      #expect(try mpc("save", "Mine").contains("radio_preset"))
      #expect(try mpc("load", "One") == "loading: One\n" && mpc("playlist", "-f", "%name%") == "Two\nOne\n")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("An unchanged queue follows the presets")
  func untouchedQueue() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one")), ("Two", station.url("/two"))])
      let program = try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      box.write([("Two", station.url("/two"))])
      program.signal(SIGHUP)
      #expect(program.waitForError("read again: 1 stations"))
      // A playing station stays in the queue although its preset is gone.
      #expect(peer.request("playlist")?.count == 2)
      box.write([("Two", station.url("/two")), ("Three", station.url("/three")), ("One", station.url("/one"))])
      program.signal(SIGHUP)
      #expect(program.waitForError("read again: 3 stations"))
      let queue = ["two", "three", "one"].enumerated().map { "\($0):file: \(station.url("/\($1)"))" }
      #expect(peer.request("playlist") == queue)
      #expect(try box.switchOff().code == 0)
      box.write([("One", station.url("/one"))])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      #expect(try ControlPeer(box.socket).request("playlist") == ["0:file: \(station.url("/one"))"])
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("Playback ends standby, and a box left in standby starts in standby")
  func standby() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      #expect(try ControlPeer(box.socket).request("radio_press power") == [] && box.manager.receives("STATUS=Standby"))
      #expect(try box.switchOff().code == 0)
      try box.start()
      #expect(box.manager.receives("STATUS=Standby"))
      #expect(try ControlPeer(box.socket).request("play") == [] && box.manager.receives("STATUS=playing: One"))
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The status contains the owner's name, sleep timer, mute and standby")
  func reports() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("Mine", station.url())])
      try box.start("null")
      #expect(box.manager.receives("STATUS=playing: Mine"))
      let peer = try ControlPeer(box.socket)
      var status = peer.status()
      #expect(status["station"] == "Mine" && status["told_name"] == "Test FM" && status["live"] == "1")
      #expect(status["muted"] == "0" && status["standby"] == "0" && status["sleep_minutes"] == nil)
      #expect(peer.request("radio_press mute") == [] && peer.status()["muted"] == "1")
      #expect(peer.request("radio_press sleep") == [] && peer.status()["sleep_minutes"] == "15")
      let awake = try Program.run("ctl", "--socket", box.socket, "status").outputText
      #expect(awake.hasPrefix("Playing: Mine\n") && awake.hasSuffix(", muted\nSleep: in 15 min\n"), "\(awake)")
      #expect(peer.request("radio_press power") == [])
      status = peer.status()
      #expect(status["standby"] == "1" && status["state"] == "stopped" && status["sleep_minutes"] == nil)
      let told = try Program.run("ctl", "--socket", box.socket, "status")
      #expect(told.outputText.hasPrefix("Standby: Mine\n"), "\(told.outputText)")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The display changes its language at once")
  func language() async throws {
    try await Stage.run {
      let box = try Box("language = \"de\"\n", stations: [("One", "http://127.0.0.1:9/")])
      try box.start()
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("radio_press menu") == [] && peer.waitForDisplay("→Sender suchen"))
      #expect(
        peer.request("radio_setting language en") == ["applies: now", "language: en"]
          && peer.waitForDisplay("→Find stations"))
      #expect(peer.request("radio_setting language fr")?.first?.contains("must be en or de") == true)
      #expect(
        peer.request("radio_setting language reset")?.last == "language: de" && peer.waitForDisplay("→Sender suchen"))
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("Without a sound card the box replies with the reason")
  func withoutCard() async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/")])
      try box.start("alsa:hw:77")
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.status()["suspended"] == "1" && peer.request("playlist")?.count == 1)
      #expect(peer.status()["error"]?.contains("There is no sound device \"hw:77\"") == true)
      #expect(peer.request("radio_display")?.contains { $0.hasPrefix("row_1: ") } == true)
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The box refuses an invalid sink")
  func noSuchSink() async throws {
    try await Stage.run {
      let end = try Box().start("nll").waitForEnd(within: 5)
      #expect(end.code == 2 && end.errors.contains("--output is \"nll\", and must be alsa"), "\(end.errors)")
    }
  }

  @Test("`bakelite panel` shows a running radio's display and sends its keys")
  func panel() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(60)) }
      defer { station.close() }
      let box = try Box(stations: [("First", station.url("/one")), ("Second", station.url("/two"))])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: First"))
      let terminal = try Terminal()
      let panel = try Program(["panel", "--socket", box.socket], terminal: terminal.program)
      #expect(terminal.shows("┌────────────────────┐") && terminal.shows("First"))
      terminal.press("\u{1B}[B")
      #expect(terminal.shows("→2 Second") && box.manager.receives("STATUS=playing: Second"))
      terminal.press("+")
      #expect(terminal.shows("Volume") && terminal.shows("│      ≡≡█ ≡≡█       │"), "a row begins with blanks")
      let peer = try ControlPeer(box.socket)
      terminal.press("\t\u{1B}[A")
      #expect(peer.waitForNumber("volume") { $0 == 34 }, "where the arrows turn the volume, up is louder")
      terminal.press("\t\t ")
      #expect(box.manager.receives("STATUS=paused: Second"))
      terminal.press("?")
      #expect(terminal.shows("record, end the recording"))
      for words in ["keep this song", "titles, spectrum or level", "1 … 9  a station by its number"] {
        #expect(terminal.shows(words), "\(words)")
      }
      terminal.press("q")
      #expect(try panel.waitForEnd(within: 5).code == 0)
      let second = try Program(["panel", "--socket", box.socket], terminal: terminal.program)
      #expect(terminal.shows("\u{1B}[?1049h"))
      second.interrupt()
      #expect(try second.waitForEnd(within: 5).code == 0 && terminal.shows("\u{1B}[?1049l"), "Ctrl-C gives it back too")
      let gone = try Program.run("panel", "--socket", box.folder.path + "/none")
      #expect(gone.code == 1 && gone.errors.contains("is bakelited running?"))
      #expect(try box.switchOff().code == 0)
    }
  }
}
