import Foundation
import MediaSupport
import StationSupport
import TestSupport
import Testing

/// The box from power on to power off (D8, D14, R4.3).
@Suite struct ApplianceTests {
  @Test("The box plays the last station, then the station that a person chooses (D8)")
  func remembers() async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one")), ("Two", station.url("/two"))])
      box.folder.write(Array("bakelite-state 1\nvolume=3\n".utf8), to: "state")
      let first = try box.start()
      #expect(first.waitForError("what it remembers is damaged"), "half a file is said, and set aside")
      #expect(box.manager.receives("READY=1") && box.manager.receives("STATUS=playing: One"))
      first.signal(SIGTERM)
      #expect(box.manager.receives("STOPPING=1"))
      let end = try first.waitForEnd(within: 5)
      #expect(end.code == 0)
      #expect(box.punctuality.holdsUnlessLate(end.errors.contains(" 0 underruns")))
      #expect(box.state.contains("station_name=One\n") && box.state.contains("volume=30\n"))
      box.write([("Nought", station.url("/nought")), ("Two", station.url("/two")), ("One", station.url("/one"))])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      #expect(try box.switchOff().code == 0)
      #expect(station.visits.map(\.path) == ["/one", "/one"])
    }
  }

  @Test("The first audio plays 150 ms after the station's first byte of audio")
  func soon() async throws {
    try await Stage.run {
      var best = Double.infinity
      for _ in 0..<4 where best > 0.15 {
        let gate = Gate()
        let clip = Clip.mp3(10)
        let station = try ScriptedStation { _ in [.live(), .gate(gate), .send(clip.bytes), .stall] }
        defer { station.close() }
        let box = try Box(stations: [("One", station.url())])
        try box.start()
        #expect(box.manager.receives("STATUS=connecting: One") || box.manager.receives("STATUS=buffering: One"))
        let sent = monotonicSeconds()
        gate.open()
        while box.pcmCount == 0, monotonicSeconds() < sent + 5 { usleep(500) }
        best = min(best, monotonicSeconds() - sent)
        #expect(try box.switchOff().code == 0)
      }
      print("appliance: first sound after \(Int(best * 1_000)) ms")
      #expect(best < 0.15)
    }
  }

  @Test("SIGTERM ends the box within a second with a fade, and the watchdog is fed until then")
  func stops() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      try box.start(watchdog: 400_000)
      #expect(box.manager.receives("STATUS=playing"))
      for _ in 0..<3 { #expect(box.manager.receives("WATCHDOG=1", within: 2)) }
      let before = monotonicSeconds()
      #expect(try box.switchOff().code == 0)
      #expect(monotonicSeconds() - before < 1)
      let last = box.folder.bytes(of: "pcm").suffix(4)
      #expect(last.allSatisfy { $0 == 0 || $0 == 255 })
    }
  }

  @Test("SIGHUP reads the stations again during playback")
  func reloads() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      let program = try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      box.write([("Two", station.url("/two")), ("Uno", station.url()), ("Bad", "ftp://x")])
      program.signal(SIGHUP)
      #expect(box.manager.receives("RELOADING=1") && box.manager.receives("READY=1"))
      #expect(program.waitForError("read again: 2 stations") && program.waitForError("stations.toml, line"))
      let before = box.pcmCount
      while box.pcmCount < before + 100_000 { usleep(10_000) }
      let end = try box.switchOff()
      #expect(end.code == 0 && station.visits.count == 1)
      #expect(box.punctuality.holdsUnlessLate(end.errors.contains(" 0 underruns")))
    }
  }

  @Test(
    "A missing station is retried after 60 s (R4.3)",
    .enabled(if: Shim.works, "needs clang, and no sanitizer"))
  func triesAgain() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.response("404 Not Found") }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      try box.start(
        "null", preload: try Shim("clock"), environment: ["BAKELITE_AHEAD": box.folder.path + "/ahead"])
      #expect(box.manager.receives("STATUS=Trouble: "))
      for seconds in [30, 61] {
        box.folder.write(Array(String(seconds).utf8), to: "ahead")
        let end = monotonicSeconds() + (seconds < 60 ? 2 : 15)
        while station.visits.count < 2, monotonicSeconds() < end { usleep(5_000) }
        #expect(station.visits.count == (seconds < 60 ? 1 : 2))
      }
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A stored volume is lowered to the maximum at start (D15)")
  func startVolume() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box("[audio]\nstart_volume_max = 20\n", stations: [("One", station.url())])
      for _ in 0..<2 {
        try box.start()
        #expect(box.manager.receives("STATUS=playing: One"))
        let peer = try ControlPeer(box.socket)
        #expect(peer.request("status")?.contains("volume: 20") == true)
        #expect(peer.request("setvol 90") == [] && peer.waitForNumber("volume") { $0 == 90 })
        #expect(try box.switchOff().code == 0)
        #expect(box.state.contains("volume=90\n"))
      }
    }
  }

  @Test("A station's own gain is applied (D15)")
  func stationGain() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let levels = try [0.0, -6].map { gain -> Double in
        let box = try Box()
        let list = "[[station]]\nname = \"One\"\nurl = \"\(station.url())\"\ngain = \(gain)\n"
        box.folder.write(Array(list.utf8), to: "stations.toml")
        try box.start()
        let end = monotonicSeconds() + 10
        while box.pcmCount < 400_000, monotonicSeconds() < end { usleep(5_000) }
        #expect(try box.switchOff().code == 0)
        // Seconds 0.5 to 1.5, after the rising ramp and before the falling ramp.
        let second = box.folder.bytes(of: "pcm").dropFirst(88_200).prefix(176_400)
        let samples = Array(second).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        return samples.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
      }
      #expect(levels[0] > 0 && abs(levels[1] / levels[0] - 0.501) < 0.01, "\(levels)")
    }
  }

  @Test("The display's clock uses the configured zone (D14)", arguments: ["Kiritimati", "Pago_Pago"])
  func zone(name: String) async throws {
    try await Stage.run {
      let box = try Box("timezone = \"Pacific/\(name)\"\n", stations: [("One", "http://127.0.0.1:9/")])
      try box.start()
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("radio_press power") == [] && box.manager.receives("STATUS=Standby"))
      // The two zones are 25 hours apart: their days always differ.
      let words = DateFormatter()
      (words.locale, words.dateFormat) = (Locale(identifier: "en_GB"), "EEEE d")
      words.timeZone = TimeZone(identifier: "Pacific/\(name)")
      let end = monotonicSeconds() + 10
      var rows: [String] = []
      while monotonicSeconds() < end, !rows.contains(where: { $0.contains(words.string(from: Date())) }) {
        rows = peer.request("radio_display") ?? []
        usleep(20_000)
      }
      #expect(rows.contains { $0.contains(words.string(from: Date())) }, "\(rows)")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("Without a sound card the box reports that and keeps running")
  func withoutCard() async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/")])
      let program = try box.start("alsa:hw:77", watchdog: 400_000)
      #expect(box.manager.receives("READY=1") && box.manager.receives("STATUS=Trouble: soundCardMissing"))
      #expect(program.waitForError("There is no sound device \"hw:77\""))
      #expect(box.manager.receives("WATCHDOG=1", within: 2))
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A pipe without a reader is reported as such, and each new reader gets the audio")
  func pipe() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(40)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      let path = box.folder.path + "/pipe"
      mkfifo(path, 0o600)
      let program = try box.start("raw:\(path)")
      #expect(box.manager.receives("READY=1") && box.manager.receives("STATUS=Trouble: pipeUnread"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.status()["error"]?.contains("No program reads the pipe") == true)
      #expect(peer.request("radio_display")?.contains { $0.contains("Pipe has no reader") } == true)
      var buffer = [UInt8](repeating: 0, count: 65_536)
      // Each read is 1.8 s of audio; the sink accepts 0.2 s at once.
      for _ in 0..<2 {
        let reader = open(path, O_RDONLY)
        var (bytes, start) = (0, monotonicSeconds())
        while bytes < 320_000, case let count = read(reader, &buffer, buffer.count), count > 0 { bytes += count }
        #expect(bytes >= 320_000, "its end came early")
        #expect(monotonicSeconds() - start > 1.4, "it comes at the sound's pace")
        #expect(box.manager.receives("STATUS=playing: One"))
        close(reader)
        #expect(program.waitForError("ended; playback waits") && box.manager.receives("STATUS=Trouble: pipeUnread"))
      }
      let end = try box.switchOff()
      let seconds = end.errors.components(separatedBy: "Played ").last.flatMap { Int($0.prefix { $0.isNumber }) }
      // Unread audio goes to the next reader and counts once.
      #expect(end.code == 0 && seconds.map { $0 >= 3 } == true, "\(end.errors)")
      #expect(station.visits.count == 1, "nobody tuned anew")
    }
  }

  @Test("Wrong settings end the box with line and remedy; a wrong board does not")
  func wrongSettings() async throws {
    try await Stage.run {
      let wrong = try Box("[audio]\nstart_volum_max = 20")
      let end = try wrong.start().waitForEnd(within: 5)
      #expect(end.code == 2)
      #expect(end.errors.contains("\(wrong.folder.path)/bakelite.toml, line 2: "))
      #expect(end.errors.contains("did you mean start_volume_max?"))
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(10)) }
      defer { station.close() }
      let box = try Box("board = \"nothing\"", stations: [("One", station.url())])
      let program = try box.start()
      #expect(program.waitForError("there is no board \"nothing\"") && box.manager.receives("STATUS=playing: One"))
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The simulated panel draws and accepts tune, rewind, live, volume, menu (D10, S1, N1)")
  func panel() async throws {
    try await Stage.run {
      let mixed = Icy.interleave(Clip.mp3(30).bytes, metaint: 4_000, titles: [(0, "A - B")])
      let station = try ScriptedStation([.live("icy-metaint: 4000"), .send(mixed), .stall])
      defer { station.close() }
      let box = try Box(stations: [("First", station.url("/one")), ("Second", station.url("/two"))])
      let terminal = try Terminal()
      try box.start(terminal: terminal.program)
      #expect(terminal.shows("First") && terminal.shows("? lists the keys"))
      #expect(terminal.shows("B") && box.manager.receives("STATUS=playing: First"))
      terminal.press("\u{1B}[B")
      #expect(terminal.shows("→2 Second") && box.manager.receives("STATUS=playing: Second"))
      terminal.press("+")
      #expect(terminal.shows("Volume"))
      terminal.press("\t\u{1B}[A\u{1B}[B\t\t?")
      for words in ["play, pause", "record, end the recording", "1 … 9  a station by its number"] {
        #expect(terminal.shows(words), "\(words)")
      }
      terminal.press("? ")
      #expect(box.manager.receives("STATUS=paused: Second"))
      terminal.press(" ")
      #expect(box.manager.receives("STATUS=playing: Second"))
      terminal.press("\u{1B}[D")
      #expect(terminal.shows("Time shift"))
      terminal.press("l")
      terminal.press("m")
      #expect(terminal.shows("Sleep in"))
      // Scrolling is entry 9; its value changes from normal to fast.
      terminal.press(String(repeating: "\u{1B}[B", count: 8) + "\r\u{1B}[B\r")
      #expect(terminal.shows("fast"))
      #expect(try box.switchOff().code == 0)
      #expect(box.state.contains("volume=32\n") && box.state.contains("station_name=Second\n"))
      let owner = String(decoding: box.folder.bytes(of: "owner.toml"), as: UTF8.self)
      #expect(owner.contains("[panel]\nscroll_ms = 200\n"), "what the menu changed is kept: \(owner)")
    }
  }
}
