import Foundation
import TestSupport
import Testing
import Units

@testable import Settings

@Suite("Configuration")
struct ConfigurationTests {
  @Test("The documented file equals the defaults")
  func documentedDefaults() throws {
    #expect(try configuration(TestSupport.Repository.text("config/bakelite.toml")) == Configuration())
    #expect(try configuration("") == Configuration())
  }

  @Test("The first-try settings write to one folder, and are the defaults otherwise")
  func firstTry() throws {
    var expected = Configuration()
    (expected.board, expected.timezone) = ("simulated", "")
    let folder = try #require(ProcessInfo.processInfo.environment["HOME"]) + "/.bakelite-try"
    expected.control.socket = folder + "/socket"
    (expected.recording.path, expected.statePath) = (folder + "/recordings", folder)
    expected.directory.path = folder + "/directory"
    expected.web.listen = [try #require(ListenAddress("0.0.0.0:8080"))]
    #expect(try configuration(TestSupport.Repository.text("config/try.toml")) == expected)
  }

  @Test("The documented file names every key, with its allowed values above", arguments: Configuration.rules.map(\.key))
  func documentedKeys(_ key: String) throws {
    let allowed = try #require(Configuration.rules.first { $0.key == key }?.allowed)
    let lines = TestSupport.Repository.text("config/bakelite.toml").split(
      separator: "\n", omittingEmptySubsequences: false)
    var section = ""
    var comment = ""
    var documented: String?
    for line in lines {
      if line.hasPrefix("[") { section = line + " " }
      if line.hasPrefix("#") { comment += line.dropFirst() } else if line.isEmpty { comment = "" }
      if section + line.prefix(while: { $0 != " " }) == key { documented = comment }
    }
    #expect(try #require(documented, "\(key) is not in the file").contains(allowed))
  }

  @Test(
    "A box plays to its board's card, unless the settings name a device",
    arguments: [("default", "", "default"), ("default", "DAC", "plughw:CARD=DAC"), ("hw:1", "DAC", "hw:1")])
  func devices(_ device: String, _ card: String, _ expected: String) {
    var (configuration, board) = (Configuration(), Board())
    (configuration.audio.device, board.sound.card) = (device, card)
    #expect(configuration.device(on: board) == expected)
  }

  @Test("Every key can be set")
  func allKeys() throws {
    let all = try configuration(
      """
      board = "simulated"
      timezone = ""
      language = "de"
      [audio]
      device = "hw:1"
      period_ms = 20
      buffer_ms = 80
      volume = "software"
      start_volume_max = 0
      mono = true
      [buffer]
      blocks = 16
      wait_live = 0.5
      wait_file = 1
      start = "fixed"
      throttle_bypass = 2.5
      live_safety = 15
      data_timeout = 5
      pause_timeout = 0
      continuous = true
      [decoding]
      mp3_decoder = "mpg123"
      [control]
      socket = ""
      listen = "[::1]:6600"
      password_file = "/etc/secret"
      [panel]
      idle_clock = false
      scroll_ms = 100
      volume_step = 5
      scrub_step = 30
      [recording]
      path = "/srv/radio"
      floor_mib = 500
      margin = 2.5
      [state]
      path = "/tmp/x"
      """)
    var expected = Configuration()
    (expected.board, expected.timezone, expected.statePath) = ("simulated", "", "/tmp/x")
    expected.language = .german
    expected.audio.device = "hw:1"
    (expected.audio.periodMilliseconds, expected.audio.bufferMilliseconds) = (20, 80)
    (expected.audio.volume, expected.audio.startVolumeMax, expected.audio.isMono) = (.software, 0, true)
    (expected.buffer.blocks, expected.buffer.waitLive, expected.buffer.waitFile) = (16, 0.5, 1)
    (expected.buffer.start, expected.buffer.throttleBypass, expected.buffer.liveSafety) = (.fixed, 2.5, 15)
    (expected.buffer.dataTimeout, expected.buffer.pauseTimeout, expected.buffer.isContinuous) = (5, 0, true)
    expected.decoding.mp3 = .mpg123
    (expected.control.socket, expected.control.listen) = ("", Self.addresses("[::1]:6600"))
    expected.control.passwordFile = "/etc/secret"
    (expected.panel.hasIdleClock, expected.panel.scrollMilliseconds) = (false, 100)
    (expected.panel.volumeStep, expected.panel.scrubStep) = (5, 30)
    (expected.recording.path, expected.recording.floorMebibytes) = ("/srv/radio", 500)
    expected.recording.margin = 2.5
    #expect(all == expected)
  }

  @Test("Every key of stations in advance can be set; on a metered line, none is received (B5)")
  func prefetchKeys() throws {
    let all = try configuration("[prefetch]\nneighbours = 2\nmetered = true\nmax_mb_per_hour = 0")
    var expected = Configuration()
    (expected.prefetch.neighbours, expected.prefetch.isMetered) = (2, true)
    expected.prefetch.maxMegabytesPerHour = 0
    #expect(all == expected && all.prefetch.count == 0)
    #expect(Configuration().prefetch.count == 0 && Configuration().prefetch.maxMegabytesPerHour == 120)
  }

  @Test("Every key of [continuity] can be set")
  func continuityKeys() throws {
    let all = try configuration(
      "[continuity]\nfallback = [\"FIP\", \"/srv/music\"]\nfallback_after_s = 2.5\n"
        + "tone = true\nreturn_after_s = 20\n"
        + "dead_air_db = -60\ndead_air_s = 0\nads = \"quiet\"\n"
        + "second_source = \"always\"\nmax_mb_per_day = 500")
    var expected = Configuration()
    (expected.continuity.fallback, expected.continuity.fallbackAfter) = (["FIP", "/srv/music"], 2.5)
    (expected.continuity.hasTone, expected.continuity.returnAfter) = (true, 20)
    expected.continuity.ads = .quiet
    (expected.continuity.secondSource, expected.continuity.maxMegabytesPerDay) = (.always, 500)
    (expected.continuity.deadAirDecibels, expected.continuity.deadAirSeconds) = (-60, 0)
    #expect(all == expected && Configuration().continuity.fallback.isEmpty)
  }

  @Test("Every key of the rooms can be set (M1)")
  func roomKeys() throws {
    let all = try configuration(
      """
      [audio]
      output = "snapcast"
      [snapcast]
      pipe = "/run/rooms"
      buffer_ms = 400
      server = "upstairs.local"
      client = "Kitchen"
      """)
    var expected = Configuration()
    expected.audio.output = .snapcast
    (expected.snapcast.pipe, expected.snapcast.bufferMilliseconds) = ("/run/rooms", 400)
    (expected.snapcast.server, expected.snapcast.client) = (ServerAddress("upstairs.local"), "Kitchen")
    #expect(Configuration().snapcast.server == ServerAddress("127.0.0.1:1705"))
    #expect(all == expected)
  }

  @Test("Every key of the directory can be set (G5)")
  func directoryKeys() throws {
    let all = try configuration(
      """
      [directory]
      path = "/srv/stations"
      update_days = 0
      relocate = "auto"
      relocate_after_days = 10
      count_clicks = true
      """)
    var expected = Configuration()
    (expected.directory.path, expected.directory.updateDays) = ("/srv/stations", 0)
    (expected.directory.relocate, expected.directory.relocateAfterDays) = (.auto, 10)
    expected.directory.countsClicks = true
    #expect(all == expected)
  }

  @Test("Without a bus in the settings, MPRIS is off")
  func mprisKeys() throws {
    #expect(try configuration("").mpris.bus == .none)
    for bus in MprisSettings.Bus.allCases {
      #expect(try configuration("[mpris]\nbus = \"\(bus.rawValue)\"").mpris.bus == bus)
    }
  }

  @Test("Every key of the broker can be set (M2)")
  func mqttKeys() throws {
    let all = try configuration(
      """
      [mqtt]
      server = "[fe80::1%eth0]:1884"
      user_file = "bakelite.mqtt"
      discovery_prefix = "home/assistant"
      device_name = "Küche"
      tls = true
      ca_file = "/etc/ca.pem"
      """)
    var expected = Configuration()
    (expected.mqtt.server, expected.mqtt.userFile) = (ServerAddress("[fe80::1%eth0]:1884"), "bakelite.mqtt")
    (expected.mqtt.discoveryPrefix, expected.mqtt.deviceName) = ("home/assistant", "Küche")
    (expected.mqtt.usesTls, expected.mqtt.caFile) = (true, "/etc/ca.pem")
    #expect(all == expected && all.mqtt.port == 1_884 && all.mqtt.server?.host == "fe80::1%eth0")
    #expect(try configuration("[mqtt]\nserver = \"broker\"").mqtt.port == 1_883)
    #expect(try configuration("[mqtt]\nserver = \"broker\"\ntls = true").mqtt.port == 8_883)
  }

  @Test("The broker's user is a file's first line, and a file without one is reported without its content (M2)")
  func mqttUser() throws {
    let folder = TemporaryFolder()
    folder.write(Array("radio:a:b\nx\n".utf8), to: "right")
    for (name, text) in [("none", "sesame"), ("empty", ""), ("nameless", ":sesame")] {
      folder.write(Array(text.utf8), to: name)
    }
    var settings = MqttSettings()
    #expect(try settings.user() == nil)
    settings.userFile = folder.path + "/right"
    let user = try settings.user()
    #expect(user?.name == "radio" && user?.password == "a:b")
    for name in ["none", "empty", "nameless", "absent"] {
      settings.userFile = "\(folder.path)/\(name)"
      let error = try #require(throws: SettingsError.self) { try settings.user() }
      #expect(error.file == settings.userFile && !error.description.contains("sesame"))
    }
  }

  private static func addresses(_ texts: String...) -> [ListenAddress] { texts.compactMap { ListenAddress($0) } }

  @Test(
    "Control protocol and web panel listen on several addresses",
    arguments: [
      "\"[::]:8080, 127.0.0.1:9090\"", "\"[::]:8080 127.0.0.1:9090\"", "[\"[::]:8080\", \"127.0.0.1:9090\"]",
    ])
  func severalAddresses(list: String) throws {
    let read = try configuration(
      "[control]\nlisten = \(list)\npassword_file = \"/etc/secret\"\n[web]\nlisten = \(list)")
    let expected = Self.addresses("[::]:8080", "127.0.0.1:9090")
    #expect(read.control.listen == expected && read.web.listen == expected && read.web.isEnabled)
    #expect(read.web.port == 8_080 && read.web.address(of: "box.local") == "box.local:8080")
    #expect(try configuration("[web]\nlisten = []").web == WebSettings())
    #expect(try configuration("[web]\nlisten = [\"127.0.0.1:9090\", \"[::]:8080\"]").web.port == 8_080)
  }

  @Test("Every key of the web panel can be set, and they decide its address (W3)")
  func webKeys() throws {
    let all = try configuration(
      """
      [web]
      enabled = true
      listen = "[::]:8443"
      certificate = "bakelite-web.certificate"
      key = "/etc/key.pem"
      read_only = true
      password_file = "bakelite-web.password"
      """)
    var expected = Configuration()
    (expected.web.isEnabled, expected.web.isReadOnly) = (true, true)
    (expected.web.listen, expected.web.passwordFile) = (Self.addresses("[::]:8443"), "bakelite-web.password")
    (expected.web.certificate, expected.web.key) = ("bakelite-web.certificate", "/etc/key.pem")
    #expect(all == expected && all.web.address(of: "box.local") == "https://box.local:8443" && all.web.port == 8_443)
    #expect(Configuration().web.address(of: "box.local") == "box.local" && Configuration().web.port == 80)
    let secure = try configuration("[web]\ncertificate = \"/c\"\nkey = \"/k\"").web
    #expect(secure.address(of: "box.local") == "https://box.local" && secure.port == 443)
  }

  @Test(
    "A panel without an owner's password uses a code (W3)",
    arguments: [
      ("", false), ("enabled = true", true), ("enabled = true\npassword_file = \"p\"", false),
      ("password_file = \"p\"", false),
    ])
  func webCode(_ lines: String, _ needsCode: Bool) throws {
    #expect(try configuration("[web]\n" + lines).web.needsCode == needsCode)
  }

  static let mistakes: [(text: String, sentence: String)] = [
    ("bord = \"x\"", "line 1: there is no key \"bord\" here; did you mean board?"),
    (
      "[state]\npfad = \"/\"", "line 2: there is no key \"pfad\" in [state]; known are path."
    ),
    (
      "[audio]\nperiod_ms = 5000", "line 2: [audio] period_ms must be a whole number between 5 and 500 ms."
    ),
    (
      "[audio]\nperiod_ms = 50.5", "line 2: [audio] period_ms must be a whole number between 5 and 500 ms."
    ),
    ("[audio]\nperiod_ms = \"50\"", "[audio] period_ms must be a whole number between 5 and 500 ms."),
    ("[audio]\noutput = \"speaker\"", "line 2: [audio] output must be alsa, snapcast or room."),
    ("[snapcast]\npipe = \"feed\"", "line 2: [snapcast] pipe must be a path that begins with / or ~/."),
    (
      "[snapcast]\nbuffer_ms = 0",
      "line 2: [snapcast] buffer_ms must be a whole number between 20 and 20000 ms."
    ),
    (
      "[snapcast]\nserver = \"a:b\"",
      "line 2: [snapcast] server must be a host with or without a port, such as \"127.0.0.1:1705\", or \"\"."
    ),
    ("[snapcast]\nclient = 5", "line 2: [snapcast] client must be a line of up to 128 bytes, or \"\"."),
    (
      "[audio]\noutput = \"room\"\n[snapcast]\nserver = \"\"",
      "line 4: [snapcast] server must name the snapserver whose room this is, since [audio] output is room."
    ),
    ("[audio]\n\nmono = 1", "line 3: [audio] mono must be true or false."),
    ("[audio]\nvolume = \"Auto\"", "line 2: [audio] volume must be auto, hardware or software."),
    ("[decoding]\nmp3_decoder = \"lame\"", "line 2: [decoding] mp3_decoder must be mad or mpg123."),
    ("language = \"fr\"", "line 1: language must be en or de."),
    (
      "[continuity]\nsecond_source = \"on\"",
      "line 2: [continuity] second_source must be never, on-trouble or always."
    ),
    ("[continuity]\nads = \"off\"", "line 2: [continuity] ads must be play, quiet or other."),
    ("[directory]\nrelocate = \"yes\"", "line 2: [directory] relocate must be ask, auto or never."),
    (
      "[directory]\nrelocate_after_days = 0",
      "line 2: [directory] relocate_after_days must be a whole number between 1 and 365 days."
    ),
    (
      "[directory]\nupdate_days = 366",
      "line 2: [directory] update_days must be a whole number between 0 and 365 days."
    ),
    ("[audio]\nvolume = [1]", "line 2: [audio] volume must be auto, hardware or software."),
    (
      "[mqtt]\nserver = \"mqtt://broker\"",
      "line 2: [mqtt] server must be a host with or without a port, such as \"homeassistant.local:1883\", or \"\"."
    ),
    ("[mqtt]\nserver = \"broker:0\"", "line 2: [mqtt] server must be a host with or without a port"),
    ("[mqtt]\nserver = \"fe80::1\"", "line 2: [mqtt] server must be a host with or without a port"),
    ("[mqtt]\nserver = 1883", "line 2: [mqtt] server must be a host with or without a port"),
    (
      "[mqtt]\ndiscovery_prefix = \"home/#\"",
      "line 2: [mqtt] discovery_prefix must be a topic of letters, digits, - and _, with / between its levels."
    ),
    ("[mqtt]\ndiscovery_prefix = \"\"", "line 2: [mqtt] discovery_prefix must be a topic"),
    ("[mpris]\nbus = \"dbus\"", "line 2: [mpris] bus must be none, session or system."),
    ("[mqtt]\ndiscovery_prefix = \"a//b\"", "line 2: [mqtt] discovery_prefix must be a topic"),
    ("[mqtt]\ndevice_name = \"a\\u001bb\"", "line 2: [mqtt] device_name must be a line of up to 64 bytes, or \"\"."),
    ("[mqtt]\ntls = \"yes\"", "line 2: [mqtt] tls must be true or false."),
    (
      "[mqtt]\nca_file = \"ca.pem\"\ntls = true",
      "line 2: [mqtt] ca_file must be a path that begins with / or ~/, or \"\"."
    ),
    (
      "[mqtt]\ntls = false\nca_file = \"/ca.pem\"",
      "line 3: [mqtt] ca_file has no effect without tls; write tls = true, or ca_file = \"\"."
    ),
    (
      "[mqtt]\nuser_file = \"\\u0000\"",
      "line 2: [mqtt] user_file must be a path that begins with / or ~/, the name of a credential, or \"\"."
    ),
    (
      "[mqtt]\nuser_file = \"radio:secret\"",
      "line 2: [mqtt] user_file must be a path that begins with / or ~/, the name of a credential, or \"\"."
    ),
    ("[mqtt]\nservr = \"\"", "line 2: there is no key \"servr\" in [mqtt]; did you mean server?"),
    ("[web]\nenabled = \"yes\"", "line 2: [web] enabled must be true or false."),
    (
      "[web]\nlisten = \"0.0.0.0:80\"",
      "line 2: [web] listen must be an address with a port from 1024 on, such as \"0.0.0.0:8080\", a list of"
    ),
    ("[web]\nlisten = \"8080\"", "line 2: [web] listen must be an address with a port from 1024 on"),
    (
      "[web]\npassword_file = \"$y$j7T$salt:hash\"",
      "line 2: [web] password_file must be a path that begins with / or ~/, the name of a credential, or \"\"."
    ),
    (
      "[web]\ncertificate = \"/etc/c.pem\"",
      "line 2: [web] certificate and key belong together; name both, or write \"\" for both."
    ),
    ("[web]\nkey = \"/etc/k.pem\"", "line 2: [web] certificate and key belong together"),
    ("[web]\nread_only = 1", "line 2: [web] read_only must be true or false."),
    ("audio = 3", "line 1: audio must be a table."),
    ("[audio]\nperiod_ms = 150", "line 2: [audio] buffer_ms must be two periods (300 ms) or more."),
    ("[buffer]\nwait_live = 0", "line 2: [buffer] wait_live must lie between 0.1 and 3600 s."),
    ("[buffer]\nwait_live = nan", "line 2: [buffer] wait_live must lie between 0.1 and 3600 s."),
    ("[buffer]\nwait_live = 1979-05-27", "wait_live must lie between 0.1 and 3600 s."),
    ("[buffer]\nblocks = 99999999999999999", "blocks must be a whole number between 16 and 400000 blocks."),
    ("timezone = \"Europe/../../etc/passwd\"", "must be a zone of the tz database"),
    ("timezone = \"Europe/Berln\"", "line 1: timezone must be a zone of the tz database"),
    ("board = \"../x\"", "line 1: board must be a name of letters, digits, - and _."),
    ("[control]\nsocket = \"run\"", "must be a path that begins with / or ~/ and has up to 107 bytes, or \"\"."),
    ("[state]\npath = \"~other/state\"", "line 2: [state] path must be a path that begins with / or ~/."),
    ("[control]\nlisten = \"6600\"", "must be an address with a port, such as \"127.0.0.1:6600\", a list of"),
    ("[control]\nlisten = [\"127.0.0.1:6600\", 6600]", "must be an address with a port"),
    ("[control]\nlisten = \"127.0.0.1:6600, [::1]\"", "must be an address with a port"),
    ("[control]\nlisten = \"127.0.0.1:0\"", "must be an address with a port"),
    ("[control]\nlisten = \"\(String(repeating: "[::1]:6600 ", count: 9))\"", "a list of up to 8 such addresses"),
    (
      "[control]\nlisten = [\"127.0.0.1:6600\", \"0.0.0.0:6600\"]",
      "[control] listen has an address that others can reach; name a password_file, or listen on 127.0.0.1."
    ),
    (
      "[audio]\nmono = true\nmono = true",
      "line 3, column 8: the key \"mono\" appears a second time here; remove one of them."
    ),
    (
      "[audio]\n[panel]\n[audio]",
      "line 3, column 1: the table \"audio\" appears a second time here; remove one of them."
    ),
    ("board = ", "line 1, column"), ("board = \"x", "the closing quote is missing."),
    ("board = \"x\n", "line 1, column 11: the closing quote is missing."),
    ("board = \"x\r\n[audio]\r\n", "line 1, column 11: the closing quote is missing."),
    ("board = 'x\n", "line 1, column 11: the closing quote is missing."),
    ("board = 'x", "the closing quote is missing."), ("board = \"\"\"x\n\n", "the closing quote is missing."),
    ("board = [\"x\", \"ö]\n", "line 1, column 18: the closing quote is missing."),
    ("board = simulated", "this value cannot be read; write text in quotes (\"…\"), and true or false"),
    ("[audio]\nmono = yes", "line 2, column 8: this value cannot be read"),
    ("[.a]", "line 1, column 2: this is not TOML"), ("[[[a]]]", "line 1, column 3: this is not TOML"),
    ("board = \"C:\\x\"", "line 1, column 13: the backslash in this text starts an escape sequence; write \\\\ for"),
    ("board = \"C:\\Music\"", "the backslash in this text"), ("board = \"C:\\users\"", "or use single quotes ('…')."),
    ("a = \"\u{1}\"", "a control character is in this text; remove it."),
  ]

  @Test("A mistake is one sentence with its line and the allowed values", arguments: mistakes)
  func mistake(_ text: String, _ sentence: String) throws {
    let errors = try #require(throws: SettingsErrors.self) { try configuration(text) }
    #expect(errors.all.count == 1)
    #expect(errors.description.hasPrefix("test.toml, line "))
    #expect(errors.description.contains(sentence), "\(errors)")
    #expect(!errors.description.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test("All mistakes of a file are reported, in order of line")
  func allMistakes() throws {
    let text = "[panel]\nscroll_ms = 1\nx = 1\n[audio]\ndevice = 1\nvolume = 2\n[buffer]\nblocks = 1\n[z]\n"
    let errors = try #require(throws: SettingsErrors.self) { try configuration(text) }
    #expect(errors.all.map(\.line) == [2, 3, 5, 6, 8, 9])
  }

  @Test("A missing, overlong or irregular file is reported without a line")
  func noFile() throws {
    let folder = TemporaryFolder()
    folder.write(Array(repeating: 0x20, count: (1 << 20) + 1), to: "long.toml")
    for (name, words) in [
      ("none.toml", "it cannot be read (No such file or directory)."), ("", "it is no file."),
      ("long.toml", "it is longer than 1048576 bytes; is it the right file?"),
    ] {
      let errors = try #require(throws: SettingsErrors.self) { try Configuration(path: folder.path + "/" + name) }
      #expect(errors.description == "\(folder.path)/\(name): \(words)")
    }
  }

  @Test("An odd key is not shown, nor is a value")
  func showable() throws {
    let long = String(repeating: "x", count: 300)
    let errors = try #require(throws: SettingsErrors.self) {
      try configuration("\"a\\u001b[31m\\u202e\" = 1\n[audio]\nvolume = \"\(long)\"")
    }
    #expect(
      errors.all[0].description
        == "test.toml, line 1: there is no such key here; known are board, timezone, language, start, audio, "
        + "snapcast, buffer, decoding, prefetch, continuity, control, panel, recording, directory, mqtt, mpris, web "
        + "and state."
    )
    #expect(errors.all[1].description.utf8.count < 200)
  }

  @Test(
    "An unusable text of a setting that concerns neither sound nor safety is replaced by the default (I3)",
    arguments: [
      ("timezone = \"Mars/Olympus\"", "timezone"), ("language = \"fr\"", "language"),
      ("[mqtt]\nserver = \"mqtt://broker\"", "[mqtt] server"),
      ("[mqtt]\ndevice_name = \"a\\u001bb\"", "[mqtt] device_name"),
      ("[mqtt]\ndiscovery_prefix = \"#\"", "[mqtt] discovery_prefix"),
      ("[mpris]\nbus = \"dbus\"", "[mpris] bus"),
    ])
  func replaced(_ text: String, _ key: String) throws {
    let bytes = Array("\(text)\n[panel]\nvolume_step = 7\n".utf8)
    let read = try Configuration(bytes, file: "test.toml", replacesValues: true)
    #expect(read.replaced.map(\.key) == [key] && read.panel.volumeStep == 7)
    let line = text.contains("\n") ? 2 : 1
    let sentence = read.replaced[0].error.description
    #expect(sentence.hasPrefix("test.toml, line \(line): \(key) must be "), "\(sentence)")
    #expect(sentence.hasSuffix("; the default counts until this is corrected."), "\(sentence)")
    var settings = read
    (settings.replaced, settings.panel.volumeStep) = ([], Configuration().panel.volumeStep)
    #expect(settings == Configuration())
    #expect(throws: SettingsErrors.self) { try Configuration(bytes, file: "test.toml") }
  }

  @Test("An unusable board is replaced by none, because the default's pins may have other parts (I3)")
  func board() throws {
    let read = try Configuration(Array("board = \"a/b\"".utf8), file: "test.toml", replacesValues: true)
    #expect(read.board == "" && read.replaced.map(\.key) == ["board"])
  }

  @Test(
    "A wrong type, an unknown key, unreadable TOML, and sound and safety settings are refused (I3)",
    arguments: [
      "timezone = 5", "language = true", "[mqtt]\nserver = 1883", "timezon = \"UTC\"", "timezone = ", "mqtt = 1",
      "[audio]\ndevice = \"\"", "[audio]\nvolume = \"loud\"", "[control]\nlisten = \"0.0.0.0:6600\"",
      "[mqtt]\nuser_file = \"a/b\"", "[mqtt]\nca_file = \"ca.pem\"", "[start]\nplay = \"never\"",
      "[web]\nlisten = \"here\"", "[buffer]\nblocks = 0",
    ])
  func kept(_ text: String) {
    #expect(throws: SettingsErrors.self) {
      try Configuration(Array(text.utf8), file: "test.toml", replacesValues: true)
    }
  }
}

func configuration(_ text: String) throws -> Configuration { try Configuration(Array(text.utf8), file: "test.toml") }

extension TestSupport.Repository {
  static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }
}
