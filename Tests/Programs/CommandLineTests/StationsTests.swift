import Foundation
import StationSupport
import TestSupport
import Testing

@Suite struct StationsTests {
  static let list = """
    # Mine

    # the best
    [[station]]
    name = "FIP"
    url = "https://fip.example/midfi.mp3"

    [[station]]
    name = "Ö1 & \\"<news>\\""
    url = "http://anna:geheim@o.example/live?token=abc&x=1"
    gain = -3.5

    """

  @Test("Stations are listed with numbers and without passwords, for people and for programs")
  func lists() async throws {
    try await Stage.run {
      let (folder, path) = file()
      let plain = try Program.run("stations", "list", "--stations", path)
      #expect(plain.code == 0 && plain.errors.isEmpty)
      #expect(
        plain.outputText == """
            1  FIP            https://fip.example/midfi.mp3
            2  Ö1 & "<news>"  http://o.example/live

          """)
      let json = try Program.run("stations", "list", "--json", "--stations", path)
      let objects = try json.outputText.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(objects.map { $0["name"] as? String } == ["FIP", "Ö1 & \"<news>\""])
      #expect(objects.map { $0["number"] as? Int } == [1, 2])
      #expect(objects.map { $0["gain"] as? Double } == [nil, -3.5])
      #expect(!json.outputText.contains("geheim"))
      withExtendedLifetime(folder) {}
    }
  }

  @Test("A faulty station is reported with its line, and the others are listed")
  func problems() async throws {
    try await Stage.run {
      let (folder, path) = file(Self.list.replacing("gain = -3.5", with: "gian = -3.5"))
      let outcome = try Program.run("stations", "list", "--stations", path)
      #expect(outcome.code == 2)
      #expect(outcome.outputText == "  1  FIP  https://fip.example/midfi.mp3\n")
      #expect(outcome.errors == "bakelite: \(path), line 11: there is no key \"gian\" here; did you mean gain?\n")
      withExtendedLifetime(folder) {}
    }
  }

  @Test("Stations are added with all options, moved and removed, and comments stay (D12)")
  func changes() async throws {
    try await Stage.run {
      let (folder, path) = file()
      func run(_ told: String, _ arguments: String...) throws {
        let outcome = try Program(["stations"] + arguments + ["--stations", path]).waitForEnd()
        #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.errors == told + "\n", "\(outcome.errors)")
      }
      try run("\"New\" is station 1.", "add", "New", "http://new.example/", "--at", "1")
      try run("\"Ö1 & \"<news>\"\" is now station 1.", "move", "ö1 & \"<news>\"", "1")
      try run("Removed station 3, \"FIP\".", "remove", "3")
      try run(
        "\"All\" is station 3.", "add", "All", "icy://all.example:8000", "--as", "live", "--type", "raw", "--user",
        "@/etc/secret",
        "--user-agent",
        "X", "--query", "a=b", "--query", "c", "--header", "A: b", "--max-bitrate", "96",
        "--meta-encoding", "koi8-r", "--xml-meta",
        "http://x.example/", "--xml-delay", "-2.5", "--station-time-zone", "EST", "--live365-meta", "http://l.example/",
        "--audiocast", "--gain", "-6", "--drift", "off")
      #expect(
        String(decoding: folder.bytes(of: "stations.toml"), as: UTF8.self) == """
          # Mine

          [[station]]
          name = "Ö1 & \\"<news>\\""
          url = "http://anna:geheim@o.example/live?token=abc&x=1"
          gain = -3.5

          [[station]]
          name = "New"
          url = "http://new.example/"

          [[station]]
          name = "All"
          url = "icy://all.example:8000"
          live = true
          type = "raw"
          user = "@/etc/secret"
          user_agent = "X"
          headers = ["A: b"]
          query = ["a=b", "c"]
          max_bitrate = 96
          meta_encoding = "koi8-r"
          xml_meta_url = "http://x.example/"
          xml_delay = -2.5
          station_time_zone = "EST"
          live365_meta_url = "http://l.example/"
          audiocast = true
          gain = -6
          drift = false

          """)
    }
  }

  @Test(
    "A replacement is synced before its rename, and the rename afterwards (D8)",
    .enabled(if: Shim.works, "needs clang, and no sanitizer"), arguments: ["stations.toml", "state"])
  func reachesTheDisk(name: String) async throws {
    try await Stage.run {
      let shim = try Shim("disk")
      let folder = TemporaryFolder()
      let environment = ["LD_PRELOAD": shim.path, "BAKELITE_DISK_LOG": folder.path + "/log"]
      if name == "state" {
        let station = try ScriptedStation(StationAction.onAir(.mp3(30)))
        defer { station.close() }
        let box = try Box(stations: [("One", station.url())])
        try box.start(preload: shim, environment: environment)
        #expect(box.manager.receives("STATUS=playing: One"))
        #expect(try box.switchOff().code == 0)
      } else {
        let path = folder.write(Array(Self.list.utf8), to: name)
        let outcome = try Program.run(
          "stations", "add", "New", "http://a.example/", "--stations", path, environment: environment)
        #expect(outcome.code == 0, "\(outcome.errors)")
      }
      let lines = String(decoding: folder.bytes(of: "log"), as: UTF8.self).split(separator: "\n").map(String.init)
      let renamed = try #require(lines.lastIndex(of: "rename .\(name).new \(name)"), "\(lines)")
      #expect(lines[..<renamed].last == "fsync .\(name).new")
      #expect(lines[(renamed + 1)...].first == "fsync folder")
    }
  }

  @Test("Stations are exported to every format, and imported again (D12)", arguments: ["m3u", "pls", "opml", "toml"])
  func exchange(format: String) async throws {
    try await Stage.run {
      let (folder, path) = file()
      let plain = try Program.run("stations", "export", "--format", format, "--stations", path)
      let leftOut = "Omitted the secrets of 1 station; --with-secrets includes them.\n"
      let more = format == "toml" ? "" : "1 station has options that only --format toml contains.\n"
      #expect(plain.code == 0 && plain.errors == leftOut + more)
      #expect(plain.outputText.contains("http://o.example/live") && plain.outputText.contains("fip.example"))
      for secret in ["anna", "geheim", "token", "abc"] { #expect(!plain.outputText.contains(secret)) }
      let out = try Program.run("stations", "export", "--with-secrets", "--format", format, "--stations", path)
      #expect(out.code == 0 && out.errors == more)
      let damaged = folder.write(Array("[[station".utf8), to: "damaged.toml")
      for (place, code) in [(damaged, Int32(2)), (folder.path + "/none.toml", 1)] {
        let outcome = try Program.run("stations", "export", "--format", format, "--stations", place)
        #expect(outcome.code == code && outcome.output.isEmpty && outcome.errors.contains(place), "\(outcome.errors)")
      }
      let source = folder.write(out.output, to: "list.\(format)")
      let target = folder.path + "/new.toml"
      let first = try Program.run("stations", "import", source, "--stations", target)
      #expect(first.code == 0 && first.errors == "Imported 2 stations.\n")
      let names = try Program.run("stations", "list", "--stations", target).outputText
      #expect(names == (try Program.run("stations", "list", "--stations", path).outputText))
      let again = try Program.run("stations", "import", source, "--stations", target)
      #expect(again.errors == "Imported 0 stations. Skipped 2 that are already on the list.\n")
    }
  }

  @Test("The fragment of an address does not count as an omitted secret", arguments: ["m3u", "toml"])
  func fragment(format: String) async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let stations = ["http://a.example/live#Name", "http://b.example/live?id=1", "http://anna@c.example/#Name"]
      let text = stations.enumerated().map { "[[station]]\nname = \"\($0)\"\nurl = \"\($1)\"\n" }.joined()
      let path = folder.write(Array(text.utf8), to: "stations.toml")
      for (count, sentence) in [(2, ""), (3, "Omitted the secrets of 1 station; --with-secrets includes them.\n")] {
        let list = text.split(separator: "[[").prefix(count).map { "[[\($0)" }.joined()
        folder.write(Array(list.utf8), to: "stations.toml")
        let outcome = try Program.run("stations", "export", "--format", format, "--stations", path)
        #expect(outcome.code == 0 && outcome.errors == sentence, "\(outcome.errors)")
      }
    }
  }

  @Test("Stations without an address stay out, and equal names get numbers")
  func imports() async throws {
    try await Stage.run {
      let (folder, path) = file()
      let list = """
        <playlist><trackList><track><title>FIP</title><location>http://other.example/</location></track>
        <track><title>FIP</title><location>http://third.example/</location></track>
        <track><location>http://unnamed.example:8000/x</location></track>
        <track><title>File</title><location>song.mp3</location></track></trackList></playlist>
        """
      let source = folder.write(Array(list.utf8), to: "list.xspf")
      let outcome = try Program.run("stations", "import", source, "--stations", path)
      #expect(outcome.errors == "Imported 3 stations. Skipped 1 that is not valid: File.\n")
      let listed = try Program.run("stations", "list", "--stations", path).outputText
      for name in ["  3  FIP (2) ", "  4  FIP (3) ", "  5  unnamed.example "] {
        #expect(listed.contains(name), "\(listed)")
      }
    }
  }

  @Test("Options in addresses become settings, and others are reported")
  func options() async throws {
    try await Stage.run {
      let (folder, path) = file()
      let list = """
        #EXTM3U
        #EXTINF:-1 radio="true",Kodi Jazz
        http://kodi.example/live|User-Agent=Mozilla/5.0&Referer=http://x.example/&Cookie=biscuit
        #EXTINF:-1,VLC Jazz
        #EXTVLCOPT:http-user-agent=VLC/3.0 (Linux)
        http://vlc.example/live
        #EXTINF:-1,Radio Kino
        http://mpd.example/live#charset=cp1251
        http://named.example/live#Jazz%20FM
        http://wrong.example/live#charset=no-such-charset
        """
      let source = folder.write(Array(list.utf8), to: "list.m3u")
      let outcome = try Program.run("stations", "import", source, "--stations", path)
      #expect(outcome.errors == "Imported 5 stations. Left out options in 1 address: cookie.\n")
      let again = try Program.run("stations", "import", source, "--stations", path)
      #expect(again.errors.hasPrefix("Imported 0 stations. Skipped 5 that are already on the list."))
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for line in [
        "url = \"http://kodi.example/live\"", "user_agent = \"Mozilla/5.0\"", "Referer: http://x.example/",
        "user_agent = \"VLC/3.0 (Linux)\"", "url = \"http://mpd.example/live\"", "meta_encoding = \"cp1251\"",
        "name = \"Jazz FM\"", "url = \"http://wrong.example/live\"",
      ] {
        #expect(text.contains(line), "\(text)")
      }
      #expect(!text.contains("biscuit") && !text.contains("no-such-charset"))
    }
  }

  @Test("A foreign list may name no local file", arguments: ["m3u", "toml"])
  func foreign(format: String) async throws {
    try await Stage.run {
      let (folder, path) = file()
      let urls = ["file:///etc/passwd", "FILE:///etc/passwd", "http://new.example/"]
      var text = "#EXTM3U\n" + urls.map { "#EXTINF:-1,N\n\($0)\n" }.joined()
      if format == "toml" {
        let (own, secret) = (
          "name = \"A\"\nurl = \"\(urls[0])\"", "name = \"B\"\nurl = \"http://b.example/\"\nuser = \"@/x\""
        )
        let alternative =
          "name = \"C\"\nurl = \"http://c.example/\"\nalternatives = [{ url = \"http://d/\", user = \"@/x\" }]"
        let fallback = "name = \"D\"\nurl = \"http://d.example/\"\nfallback = [\"/home/me\"]"
        let last = "name = \"N\"\nurl = \"\(urls[2])\""
        text = [own, secret, alternative, fallback, last].map { "[[station]]\n\($0)\n" }.joined()
      }
      let source = folder.write(Array(text.utf8), to: "list.\(format)")
      let outcome = try Program.run("stations", "import", source, "--stations", path)
      let names = format == "toml" ? "4 that would read a file of this machine: A, B, C, …" : nil
      let skipped = names ?? "2 that would read a file of this machine: N, N"
      #expect(outcome.errors == "Imported 1 station. Skipped \(skipped).\n")
      let listed = try Program.run("stations", "list", "--stations", path).outputText
      #expect(listed.contains("  3  N ") && !listed.contains("  4  "), "\(listed)")
    }
  }

  @Test("A number that is another station's name is ambiguous", arguments: [true, false])
  func numberAsName(isTold: Bool) async throws {
    try await Stage.run {
      let own = "[[station]]\nname = \"1\"\nurl = \"http://kept.example/\"\n"
      let (folder, path) = file(isTold ? Self.list : Self.list + "\n" + own)
      let owner = folder.write(Array((isTold ? own : "").utf8), to: "owner.toml")
      for words in [["remove", "1"], ["move", "1", "2"]] {
        let outcome = try Program(["stations"] + words + ["--stations", path, "--owner", owner]).waitForEnd(within: 20)
        let sentence = isTold ? "\"1\" is the name of station 3 and" : "station 3 is called"
        #expect(outcome.code == 1 && outcome.errors.contains(sentence), "\(outcome.errors)")
      }
      #expect(
        try Program(["stations", "remove", "3", "--stations", path, "--owner", owner]).waitForEnd(within: 20).code == 0)
      let listed = try Program(["stations", "list", "--stations", path, "--owner", owner]).waitForEnd(within: 20)
        .outputText
      #expect(listed.contains("FIP") && !listed.contains("kept.example"))
    }
  }

  static let refusals: [(arguments: [String], code: Int32, words: String)] = [
    (["add", "X"], 2, "<url>"), (["add", "X", "x"], 1, "/x; check the path."),
    (["add", "X", "ftp://x.example/"], 2, "url must be an http or https address"),
    (
      ["add", "X", "HTTPS://fip.example:443/midfi.mp3"], 1,
      "bakelite: The address is already station 1, \"FIP\"; nothing was added.\n"
    ),
    (["add", "X", "http://x.example/", "--live", "--as", "file"], 2, "exclude each other"),
    (["add", "X", "http://a b/"], 2, "url has a space; write %20 instead."),
    (["add", "", "http://x.example/"], 2, "name must be 1 to 100 characters"),
    (["add", "X", "http://x.example/", "--gain", "13"], 2, "gain must lie between -60 and 12 dB"),
    (["add", "X", "http://x.example/", "--as", "radio"], 2, "'live' and 'file'"),
    (
      ["add", "X", "http://x.example/", "--header", "x"], 2,
      "an element of headers must be \"Name: value\""
    ),
    (["add", "X", "http://x.example/", "--at", "4"], 1, "there is no place 4 for a station; its places are 1 to 3."),
    (["add", "FIP", "http://x.example/"], 1, "there is already a station \"FIP\"; choose another name."),
    (["remove", "FOP"], 1, "there is no station \"FOP\"; did you mean \"FIP\"?"),
    (["remove", "3"], 1, "there is no station \"3\"; they are 1 to 2."),
    (["move", "1", "3"], 1, "there is no station 3"),
    (["move", "1", "one"], 2, "<number>"), (["import", "/no/such/list"], 1, "/no/such/list: it cannot be read"),
    (
      ["import", Repository.root + "/Tests/Support/Fixtures/cbr-44100.mp3"], 1,
      "is not a station list; supported formats are M3U, PLS, OPML"
    ),
    (["import", "/"], 1, "it is no file"), (["export", "--format", "xspf"], 2, "'pls', 'opml' or 'toml'"),
    (["sort"], 2, "There is no subcommand bakelite stations sort; bakelite stations --help lists"),
    (["lsit"], 2, "did you mean bakelite stations list?"), (["remove", "1", "--stattions"], 2, "--stations"),
  ]

  @Test("An impossible change gives one sentence and changes nothing", arguments: refusals)
  func refusal(arguments: [String], code: Int32, words: String) async throws {
    try await Stage.run {
      let (folder, path) = file()
      let outcome = try Program(["stations"] + arguments + ["--stations", path]).waitForEnd()
      #expect(outcome.code == code && outcome.output.isEmpty)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      expectClean(outcome.errors)
      #expect(folder.bytes(of: "stations.toml") == Array(Self.list.utf8))
    }
  }

  @Test("The list in this folder is the default, and a broken one is not changed")
  func places() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let none = try Program.run("stations", "list", directory: folder.path)
      #expect(none.code == 1 || FileManager.default.fileExists(atPath: "/etc/bakelite/stations.toml"))
      guard none.code == 1 else { return }
      #expect(none.errors.contains("Select a file with --stations"))
      try FileManager.default.createDirectory(atPath: folder.path + "/config", withIntermediateDirectories: true)
      folder.write(Array((Self.list + "oops\n").utf8), to: "config/stations.toml")
      let broken = try Program.run("stations", "remove", "1", directory: folder.path)
      #expect(broken.code == 2 && broken.errors.hasPrefix("bakelite: config/stations.toml, line 12, column "))
      let listed = try Program.run("stations", "list", directory: folder.path)
      #expect(listed.outputText.hasPrefix("  1  FIP"))
    }
  }

  @Test("add accepts play's forms: an address without scheme, a file path, --live")
  func addresses() async throws {
    try await Stage.run {
      let (folder, path) = file("")
      folder.write(Clip.mp3(1).bytes, to: "a song.mp3")
      let additions = [
        (["One", "radio.example:8000/live", "--live"], "\"One\" is station 1.\n"),
        (["Song", "a song.mp3"], "\"Song\" is station 2.\n"),
        (["Same", "http://radio.example:8000/live"], "is already station 1, \"One\"; nothing was added.\n"),
        (["Other", "radio.example:8000/live", "--query", "a=b"], "\"Other\" is station 3.\n"),
      ]
      for (words, told) in additions {
        let outcome = try Program(["stations", "add"] + words + ["--stations", path], directory: folder.path)
          .waitForEnd()
        #expect(outcome.errors.hasSuffix(told), "\(outcome.errors)")
      }
      let text = String(decoding: folder.bytes(of: "stations.toml"), as: UTF8.self)
      #expect(text.contains("url = \"http://radio.example:8000/live\"\nlive = true\n"))
      #expect(text.contains("/a%20song.mp3\"\n") && text.contains("url = \"file:///"))
    }
  }

  @Test("A running radio is notified of a change, and reads its stations again (D12)")
  func running() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      let program = try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      func stations(_ words: String...) throws -> Program.Outcome {
        try Program(["stations"] + words + ["--stations", box.folder.path + "/stations.toml", "--socket", box.socket])
          .waitForEnd()
      }
      let peer = try ControlPeer(box.socket)
      let added = try stations("add", "Two", "http://two.example/")
      #expect(added.errors == "\"Two\" is station 2.\nThe running radio has reloaded its stations: 2.\n")
      let presets = ["file: \(station.url())", "file: http://two.example/"]
      #expect(added.code == 0 && peer.request("listplaylist Presets") == presets)
      #expect(try stations("move", "2", "1").code == 0 && peer.request("listplaylist Presets") == presets.reversed())
      #expect(try stations("remove", "Two").code == 0 && peer.request("listplaylist Presets") == [presets[0]])
      let other = box.folder.write(Array("".utf8), to: "other.toml")
      let words = ["stations", "add", "X", "http://x.example/", "--stations", other, "--socket", box.socket]
      let elsewhere = try Program(words).waitForEnd()
      #expect(elsewhere.errors == "\"X\" is station 1.\n")
      box.folder.write(Array("oops".utf8), to: "bakelite.toml")
      let broken = try stations("add", "Three", "http://three.example/")
      #expect(broken.code == 0 && broken.errors.contains("reloaded its stations: 2.\nbakelite: "), "\(broken.errors)")
      #expect(broken.errors.contains("bakelite.toml, line 1"), "\(broken.errors)")
      #expect(program.isRunning && station.visits.count == 1, "the sound goes on")
      #expect(try box.switchOff().code == 0)
      let alone = try stations("remove", "Three")
      #expect(alone.code == 0 && alone.errors.contains("reload its stations. No radio answers at \(box.socket)"))
    }
  }

  private func file(_ text: String = list) -> (folder: TemporaryFolder, path: String) {
    let folder = TemporaryFolder()
    return (folder, folder.write(Array(text.utf8), to: "stations.toml"))
  }

  @Test(
    "Run-time presets are listed with their file, and each command edits the right file")
  func owner() async throws {
    try await Stage.run {
      let (folder, path) = file(Self.list)
      let owner = folder.write(
        Array("removed = []\n[[station]]\nname = \"Kept\"\nurl = \"http://kept.example/\"\n".utf8), to: "owner.toml")
      func stations(_ words: String...) throws -> Program.Outcome {
        try Program(["stations"] + words + ["--stations", path, "--owner", owner]).waitForEnd(within: 20)
      }
      func names() throws -> [String] {
        try stations("list", "--json").outputText.split(separator: "\n").compactMap { line in
          (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["name"] as? String
        }
      }
      let before = try names()
      #expect(before.last == "Kept" && before.count > 2)
      #expect(try stations("list").outputText.contains("http://kept.example/  (owner.toml)"))
      #expect(try stations("list", "--json").outputText.contains("\"file\":\"\(owner)\""))
      let text = folder.bytes(of: "stations.toml")
      let added = try stations("add", "Last", "http://last.example/")
      #expect(added.errors.hasPrefix("\"Last\" is station \(before.count + 1).") && added.code == 0)
      #expect(try names() == before + ["Last"] && stations("remove", "Last").code == 0)
      #expect(folder.bytes(of: "stations.toml") == text)
      #expect(try stations("move", "Kept", "1").code == 0)
      #expect(try names() == ["Kept"] + before.dropLast() && folder.bytes(of: "stations.toml") == text)
      #expect(try stations("remove", "1").code == 0)
      #expect(try names() == Array(before.dropLast()) && folder.bytes(of: "stations.toml") == text)
      #expect(try stations("remove", before[0]).code == 0)
      #expect(try names() == Array(before.dropFirst().dropLast()) && folder.bytes(of: "stations.toml") != text)
      #expect(try stations("remove", "99").code == 1)
    }
  }
}
