import Foundation
import TestSupport
import Testing

/// Runs `bakelite doctor` on a machine without the box's hardware.
@Suite struct DoctorTests {
  private struct Finding: Decodable {
    var check, verdict, message: String
    var mend, details: String?
  }

  static let absent = """
    title = "A box"
    summary = "Whose parts are nowhere."
    chips = ["no-such-chip"]
    [sound]
    card = "nosuchcard"
    overlay = ["dtoverlay=no-such-overlay"]
    [pins]
    play = { line = 5 }
    [buttons]
    play = { press = "play_pause" }
    remote = { press = "menu" }
    [inputs.infrared]
    device = "no such remote"
    [inputs.infrared.keys]
    KEY_MENU = "remote"
    [display]
    kind = "hd44780"
    size = "20x4"
    bus = "i2c"
    number = 99
    address = 0x27
    """

  @Test("Missing hardware gives exit code 4, and each part has its remedy")
  func missing() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let board = folder.write(Array(Self.absent.utf8), to: "box.toml")
      let outcome = try Program.run("doctor", "--board", board, "--json")
      #expect(outcome.code == 4 && outcome.errors.isEmpty, "\(outcome.errors)")
      let findings = try Self.findings(outcome)
      for check in ["sound card", "pins", "input", "display"] {
        let finding = try #require(findings.first { $0.check == check }, "\(check)")
        #expect(finding.verdict == "missing" && finding.mend != nil, "\(finding)")
      }
      let card = try #require(findings.first { $0.check == "sound card" })
      #expect(card.message.contains("\"plughw:CARD=nosuchcard\""))
      #expect(card.mend?.contains("'dtoverlay=no-such-overlay'") == true)
      #expect(findings.first { $0.check == "display" }?.message.contains("/dev/i2c-99") == true)
    }
  }

  @Test("Every check runs, for people and for programs, and each fault has a remedy")
  func complete() async throws {
    try await Stage.run {
      let (folder, config) = Self.box()
      let json = try Program.run("doctor", "--board", "simulated", "--config", config, "--json", directory: Self.root)
      let findings = try Self.findings(json)
      #expect(
        findings.map(\.check) == [
          "settings", "board", "stations", "owner.toml", "sound card", "sound path", "mixer", "decoders", "pins",
          "display",
          "real time", "memory lock", "clock", "directory", "network", "names", "web",
        ])
      #expect(findings.allSatisfy { ($0.mend == nil) == ["ok", "skipped"].contains($0.verdict) })
      #expect(findings.prefix(10).allSatisfy { $0.verdict == "ok" }, "\(findings)")
      #expect(json.code == (findings.contains { $0.verdict == "problem" } ? 1 : 0))
      let decoders = try #require(findings.first { $0.check == "decoders" }?.message)
      let told = #/MP3 is decoded by libmad [\d.]+, AAC by libfaad [\d.]+, Ogg Vorbis by .+, FLAC by libFLAC [\d.]+\./#
      #expect(decoders.wholeMatch(of: told) != nil, "\(decoders)")
      let memory = try #require(findings.first { $0.check == "memory lock" }?.details)
      #expect(memory.contains("blocks of 5120 bytes (100)") && memory.contains("KiB  in all"))

      let plain = try Program.run("doctor", "--board", "simulated", "--config", config, directory: Self.root)
      #expect(plain.code == json.code && plain.errors.isEmpty)
      expectClean(plain.outputText)
      // The doctor reports the limits of a running radio; a parallel test may run a radio during only one of the two
      // calls.
      let both = findings.map(\.message).joined() + plain.outputText
      let moving = both.contains("(process ") ? ["real time", "memory lock"] : []
      // The minute may change between the two calls.
      func untimed(_ text: String) -> String { text.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/, with: "now") }
      for finding in findings where !moving.contains(finding.check) {
        #expect(untimed(plain.outputText).contains(untimed(finding.message)))
      }
      withExtendedLifetime(folder) {}
    }
  }

  @Test("The settings name the MP3 decoder")
  func decoder() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let config = folder.write(Array("[decoding]\nmp3_decoder = \"mpg123\"\n".utf8), to: "bakelite.toml")
      let outcome = try Program.run("doctor", "--board", "simulated", "--config", config, directory: Self.root)
      #expect(outcome.outputText.contains("MP3 is decoded by libmpg123"), "\(outcome.outputText)")
    }
  }

  @Test("Faults in files give file, line and exit code 1")
  func files() async throws {
    try await Stage.run {
      let (folder, config) = Self.box(stations: "[[station]]\nname = \"A\"\nurl = \"gopher://a\"\n\n[[station]]\n")
      let outcome = try Program.run("doctor", "--board", "simulated", "--config", config, directory: Self.root)
      let stations = "\(folder.path)/stations.toml"
      #expect(outcome.code == 1)
      #expect(outcome.outputText.contains("\(stations), line 3: url must be an http"))
      #expect(outcome.outputText.contains("fix:         sudo nano +3 \(stations)"))
      #expect(outcome.outputText.contains("\(stations), line 5: name is missing"))

      folder.write(Array("bord = \"x\"\n[audio]\nperiod_ms = 1\n".utf8), to: "bakelite.toml")
      let broken = try Program.run("doctor", "--board", "simulated", "--config", config, directory: Self.root)
      #expect(broken.code == 1 || broken.code == 4)
      #expect(broken.outputText.contains("\(config), line 1: there is no key \"bord\" here; did you mean board?"))
      #expect(broken.outputText.contains("\(config), line 3: [audio] period_ms must be"))
    }
  }

  @Test("A faulty alternative is reported with its line, and its station stays")
  func alternatives() async throws {
    try await Stage.run {
      let (folder, config) = Self.box(
        stations: """
          [[station]]
          name = "A"
          url = "http://a.example/"
          alternatives = ["http://b.example/",
            "http://a.example/",
            { url = "http://c.example/", user = "@/nowhere/secret" }]

          """)
      let outcome = try Program.run("doctor", "--board", "simulated", "--config", config, directory: Self.root)
      let stations = "\(folder.path)/stations.toml"
      let isRoot = geteuid() == 0
      #expect(outcome.outputText.contains("\(stations), line 5: alternatives: an address is url itself or appears"))
      #expect(outcome.outputText.contains("\(stations), line 6: alternatives: /nowhere/secret: it cannot be") == isRoot)
      #expect(outcome.outputText.contains("\(stations) has 1 station to play"))
      let list = try Program.run("stations", "list", "--stations", stations)
      #expect(list.outputText == "  1  A  http://a.example/  also http://b.example/  also http://c.example/\n")
      #expect(list.errors.contains("\(stations), line 5: alternatives: an address is url itself"))
    }
  }

  @Test("A missing board lists the existing ones")
  func noBoard() async throws {
    try await Stage.run {
      let (folder, config) = Self.box()
      let outcome = try Program.run("doctor", "--board", "simulatd", "--config", config, directory: Self.root)
      #expect(outcome.code == 1)
      #expect(outcome.outputText.contains("there is no board \"simulatd\"; did you mean simulated?"))
      #expect(outcome.outputText.contains("skipped  pins         The board is not known."))
      withExtendedLifetime(folder) {}
    }
  }

  static let wrongPaths: [(arguments: [String], check: String, said: String, mend: String)] = [
    (["--config", "/no/such.toml"], "settings", "/no/such.toml: it cannot be read", "pass the path of an existing"),
    (["--config", "/no/such.toml"], "stations", "The folder of the settings, /no/, does not exist", ""),
    (["--config", "FOLDER"], "settings", "FOLDER is a folder, not a file.", "--config FOLDER/bakelite.toml"),
    (["--config", "FOLDER/pw.toml"], "password", "/no/password: it cannot be read", "password_file in FOLDER/pw.toml"),
    (["--config", "FOLDER/name.toml"], "password", "is not in /etc/credstore", "/etc/credstore/no-such-one"),
    (["--board", "/no/board.toml"], "board", "/no/board.toml: it cannot be read", "--board NAME"),
    (["--board", "simulatd"], "board", "did you mean simulated?", "name a board that exists: --board NAME"),
    (["--config", "FOLDER/board.toml"], "board", "no board \"nothing\"", "board = \"NAME\" in FOLDER/board.toml"),
    (["--config", "FOLDER/s/bakelite.toml"], "stations", "FOLDER/s/stations.toml is a folder", "mv FOLDER/s/stations"),
    (["--config", "FOLDER/shell.toml"], "owner.toml", "/no/a b;c'd", "sudo mkdir -p '/no/a b;c'\\''d'"),
    (["--config", "FOLDER/shell.toml"], "password", "a; reboot #", "/dev/stdin '/etc/credstore/a; reboot #'"),
    (["--config", "FOLDER/nowhere.toml"], "owner.toml", "/no/state, which does not exist", "sudo mkdir -p /no/state"),
    (
      ["--config", "FOLDER/nofolder.toml"], "owner.toml", "which is not a folder",
      "[state] path in FOLDER/nofolder.toml"
    ),
    (
      ["--config", "FOLDER/good.toml"], "owner.toml",
      "FOLDER/good/owner.toml is valid; with its changes the radio has 2 presets", ""
    ),
    (
      ["--config", "FOLDER/bad.toml"], "owner.toml", "FOLDER/bad/owner.toml, line 2: ", "sudo nano +2 FOLDER/bad/owner"
    ),
    (["--config", "FOLDER/odd.toml"], "owner.toml", "[panel] scroll_ms must be", "sudo nano FOLDER/odd/owner.toml"),
    (["--config", "FOLDER/folder.toml"], "owner.toml", "owner.toml is a folder", "sudo mv FOLDER/folder/owner.toml"),
  ]

  @Test("A wrong path is reported with its remedy", arguments: wrongPaths)
  func paths(arguments: [String], check: String, said: String, mend: String) async throws {
    try await Stage.run {
      let (folder, _) = Self.box()
      folder.write(Array("board = \"nothing\"\n".utf8), to: "board.toml")
      folder.write(Array("[state]\npath = \"/no/state\"\n".utf8), to: "nowhere.toml")
      let odd = "[state]\npath = \"/no/a b;c'd\"\n[control]\npassword_file = \"a; reboot #\"\n"
      folder.write(Array(odd.utf8), to: "shell.toml")
      folder.write(Array("[control]\npassword_file = \"/no/password\"\n".utf8), to: "pw.toml")
      folder.write(Array("[control]\npassword_file = \"no-such-one\"\n".utf8), to: "name.toml")
      folder.write(Array("[state]\npath = \"\(folder.path)/board.toml\"\n".utf8), to: "nofolder.toml")
      for name in ["s/stations.toml", "good", "bad", "odd", "folder/owner.toml"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        let state = name.prefix { $0 != "/" }
        folder.write(Array("[state]\npath = \"\(folder.path)/\(state)\"\n".utf8), to: "\(state).toml")
      }
      folder.write([], to: "s/bakelite.toml")
      let kept = "[[station]]\nname = \"B\"\nurl = \"http://127.0.0.1:9/b\"\n"
      folder.write(Array(kept.utf8), to: "good/owner.toml")
      folder.write(Array("[[station]]\nnam = \"B\"\n".utf8), to: "bad/owner.toml")
      folder.write(Array("[panel]\nscroll_ms = 5\n".utf8), to: "odd/owner.toml")
      func here(_ text: String) -> String { text.replacing("FOLDER", with: folder.path) }
      let outcome = try Program(["doctor", "--json"] + arguments.map(here), directory: Self.root).waitForEnd()
      let findings = try Self.findings(outcome).filter { $0.check == check }
      #expect(findings.contains { $0.message.contains(here(said)) }, "\(findings)")
      let mends = findings.compactMap(\.mend)
      #expect(mend.isEmpty ? mends.isEmpty : mends.contains { $0.contains(here(mend)) }, "\(findings)")
      #expect(outcome.code != 0 || ["ok", "skipped"].contains(findings[0].verdict))
    }
  }

  @Test("Advice for a file in the reader's home has no sudo, and the radio creates its own folder there")
  func home() async throws {
    try await Stage.run {
      let home = TemporaryFolder()
      for (state, verdict, mend) in [
        ("~/.radio", "ok", nil), ("~/no/radio", "problem", "mkdir -p \(home.path)/no/radio"),
      ] as [(String, String, String?)] {
        let config = home.write(Array("[state]\npath = \"\(state)\"\n".utf8), to: "a.toml")
        let outcome = try Program.run("doctor", "--json", "--config", config, environment: ["HOME": home.path])
        let found = try Self.findings(outcome)
        let finding = try #require(found.first { $0.check == "owner.toml" })
        #expect(finding.verdict == verdict && finding.mend == mend, "\(finding)")
        #expect(found.first { $0.check == "stations" }?.mend?.hasPrefix("bakelite stations add") == true)
      }
    }
  }

  @Test("The user's own list is checked, and the boards of the source tree with the settings are found")
  func ownList() async throws {
    try await Stage.run {
      let rig = ListenRig([("One", "http://127.0.0.1:9/"), ("Two", "http://127.0.0.1:9/two")])
      func own(_ words: String...) throws -> Finding? {
        try Self.findings(Program(["doctor", "--json"] + words, environment: rig.environment).waitForEnd())
          .first { $0.check == "own list" }
      }
      let finding = try own()
      #expect(finding?.verdict == "ok")
      let words = "/bakelite/stations.toml has 2 stations for `bakelite` and `bakelite play`."
      #expect(finding?.message == rig.folder.path + words)
      rig.folder.write(Array("[[station]]\nname = 1\n".utf8), to: "bakelite/stations.toml")
      #expect(try own()?.verdict == "problem")
      let config = Self.root + "/config/try.toml"
      #expect(try own("--config", config) == nil, "another radio has other stations")
      let found = try Self.findings(Program.run("doctor", "--json", "--config", config, directory: rig.folder.path))
      #expect(found.first { $0.check == "board" }?.verdict == "ok", "\(found)")
      let copy = rig.folder.write(Repository.bytes("config/try.toml"), to: "try.toml")
      let lost = try Self.findings(Program.run("doctor", "--json", "--config", copy, directory: rig.folder.path))
      #expect(lost.first { $0.check == "board" }?.mend == "pass the folder with the board files: --boards FOLDER")
    }
  }

  @Test(
    "A computer without a box is not blamed for missing parts of a box",
    .enabled(if: access("/etc/bakelite", F_OK) != 0, "needs a computer without /etc/bakelite"))
  func desktop() async throws {
    try await Stage.run {
      let rig = ListenRig(nil)
      let environment = rig.environment.merging(["XDG_CACHE_HOME": rig.folder.path + "/cache"]) { $1 }
      let outcome = try Program(["doctor", "--json"], environment: environment, directory: rig.folder.path).waitForEnd()
      let found = try Self.findings(outcome)
      let checks: Set = ["settings", "own list", "sound card", "sound path", "decoders", "real time", "memory lock"]
      let others: Set = ["clock", "directory", "network", "names"]
      #expect(Set(found.map(\.check)) == checks.union(others), "\(found.map(\.check))")
      #expect(found[0].verdict == "ok" && found[0].message.contains("this computer is no box"))
      let texts = found.map { $0.message + ($0.mend ?? "") }.joined(separator: "\n")
      for words in ["board", "the service", "bakelite.toml in", "sudo bakelite", ".deb", "bakelite ctl"] {
        #expect(!texts.contains(words), "\(words): \(texts)")
      }
      #expect(texts.contains("download it with: bakelite find --update"))
    }
  }

  @Test(
    "Without a network one sentence reports it, and no other check fails for it",
    .enabled(if: getuid() == 0, "needs root"))
  func offline() async throws {
    try await Stage.run {
      let (folder, config) = Self.box(stations: "[[station]]\nname = \"A\"\nurl = \"http://radio.example/\"\n")
      let more = "[mqtt]\nserver = \"192.0.2.1\"\n[snapcast]\nserver = \"192.0.2.1\"\n"
      let settings = String(decoding: folder.bytes(of: "bakelite.toml"), as: UTF8.self)
      let rooms = settings.replacing("[audio]", with: "[audio]\noutput = \"snapcast\"")
      folder.write(Array((rooms + more).utf8), to: "b.toml")
      func doctor(_ words: [String], by others: [String]) throws -> [Finding] {
        try Self.findings(
          Program(["doctor", "--json", "--board", "simulated"] + words, by: others, directory: Self.root).waitForEnd())
      }
      let words = ["--config", folder.path + "/b.toml", "--stations", folder.path + "/stations.toml"]
      let found = try doctor(words, by: ["/usr/bin/unshare", "-n"])
      let network = found.filter { $0.message.contains("offline") }
      #expect(network.first { $0.verdict == "problem" }?.check == "network", "\(network)")
      #expect(network.count { $0.verdict == "problem" } == 1, "\(network)")
      #expect(Set(network.map(\.check)).isSuperset(of: ["network", "names", "mqtt"]), "\(found)")
      #expect(found.contains { $0.check == "decoders" })
      withExtendedLifetime(config) {}
    }
  }

  @Test(
    "Invisible bytes of a password file are named",
    arguments: [
      ("\u{FEFF}secret\n", "byte order mark"), ("secret \n", "ends with a blank"), (" secret", "starts with"),
    ])
  func invisible(_ text: String, _ words: String) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let password = folder.write(Array(text.utf8), to: "password")
      let settings = """
        [control]
        password_file = "\(password)"
        [web]
        enabled = true
        password_file = "\(password)"
        [mqtt]
        server = "127.0.0.1:9"
        user_file = "\(folder.write(Array(("anna:" + text).utf8), to: "user"))"
        """
      let config = folder.write(Array(settings.utf8), to: "bakelite.toml")
      let found = try Self.findings(try Program.run("doctor", "--json", "--config", config, directory: Self.root))
      for check in ["password", "web"] {
        let finding = try #require(found.first { $0.check == check })
        #expect(finding.verdict == "problem" && finding.message.contains(words), "\(finding)")
      }
      #expect(words != "ends with a blank" || found.contains { $0.check == "mqtt" && $0.message.contains(words) })
      // The advice removes the bytes.
      let mend = try #require(found.first { $0.check == "password" }?.mend)
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = ["-c", mend.replacing("sudo ", with: "")]
      try shell.run()
      shell.waitUntilExit()
      #expect(String(decoding: folder.bytes(of: "password"), as: UTF8.self).split(separator: "\n") == ["secret"])
    }
  }

  @Test("With invalid settings, checks that depend on them are skipped, and the reason is stated")
  func unknownSettings() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let config = folder.write(Array("board = \"C:\\x\"\n".utf8), to: "bakelite.toml")
      let found = try Self.findings(try Program.run("doctor", "--json", "--config", config, directory: Self.root))
      #expect(found[0].message.contains("the backslash in this text starts an escape sequence"), "\(found[0])")
      for check in ["board", "owner.toml", "sound card", "pins", "display", "directory", "web"] {
        let finding = try #require(found.first { $0.check == check })
        #expect(finding.verdict == "skipped" && finding.mend == nil, "\(finding)")
      }
    }
  }

  @Test("All boards of this repository are valid")
  func boards() async throws {
    try await Stage.run {
      let boards = try FileManager.default.contentsOfDirectory(atPath: Self.root + "/boards")
      for board in boards where board.hasSuffix(".toml") {
        let outcome = try Program.run("doctor", "--board", "boards/\(board)", "--json", directory: Self.root)
        let finding = try Self.findings(outcome).first { $0.check == "board" }
        #expect(finding?.verdict == "ok", "\(board)")
      }
    }
  }

  private static let root = Repository.root

  /// A box without hardware: ALSA's null device and a station with a numeric address.
  private static func box(stations: String? = nil) -> (folder: TemporaryFolder, config: String) {
    let folder = TemporaryFolder()
    let list = stations ?? "[[station]]\nname = \"A\"\nurl = \"http://127.0.0.1:9/\"\n"
    folder.write(Array(list.utf8), to: "stations.toml")
    let settings = "[audio]\ndevice = \"null\"\n[buffer]\nblocks = 100\n"
    return (folder, folder.write(Array(settings.utf8), to: "bakelite.toml"))
  }

  private static func findings(_ outcome: Program.Outcome) throws -> [Finding] {
    try outcome.outputText.split(separator: "\n").map { try JSONDecoder().decode(Finding.self, from: Data($0.utf8)) }
  }
}
