import Settings
import TestSupport
import Testing

@Suite("Station list")
struct StationListTests {
  @Test("All packaged stations are usable")
  func shipped() {
    let list = StationList.load(Repository.root + "/config/stations.toml")
    #expect(list.problems == [])
    #expect(list.entries.count >= 12)
    #expect(list.entries.map(\.number) == Array(1...list.entries.count))
    let text = Repository.text("config/stations.toml")
    for codec in ["MP3", "AAC", "HE-AAC"] { #expect(text.contains(". \(codec) ")) }
  }

  @Test("The packaged file documents every option, and its example is valid")
  func documentedOptions() throws {
    let options = Repository.text("config/stations.toml").split(separator: "\n").filter {
      $0.hasPrefix("#   ") && $0.contains(" = ")
    }.map { $0.dropFirst(4).split(separator: "  ")[0].split(separator: ",")[0] }
    let text =
      "[[station]]\nname = \"a\"\nurl = \"http://a/\"\n"
      + options.joined(separator: "\n")
      .replacing("http://…", with: "http://b/")
    let list = read(text)
    #expect(list.problems == [])
    var all = full
    (all.type, all.user, all.userAgent, all.mode) = (.raw, "name:password", "…", .live)
    (all.headers, all.query, all.metadataEncoding) = (["Name: value"], ["key=value"], "windows-1251")
    all.maxBitRate = 128
    (all.fallback, all.deadAirDecibels, all.deadAirSeconds, all.isTalk) = (["FIP"], -60, 60, true)
    all.directoryID = "960cf833-0601-11e8-ae97-52543be04c81"
    all.isFromDirectory = true
    all.alternatives = [StationAlternative("http://b/")]
    (all.xmlMetadataURL, all.live365MetadataURL) = ("http://b/", "http://b/")
    #expect(list.entries.first?.station == all)
  }

  @Test("A station is written as it is read, with all options (G5)")
  func roundTrip() {
    var odd = full
    odd.name = "Ö1 \"quoted\" \\ # ] 日本 \u{1F4FB}"
    odd.mode = .file
    (odd.fallback, odd.deadAirSeconds, odd.isTalk) = ([], 0.5, false)
    for station in [StationSettings(name: "a", url: "http://a"), full, odd] {
      let list = read(station.toml)
      #expect(list.problems == [])
      #expect(list.entries.map(\.station) == [station])
      #expect(station.problem == nil)
    }
  }

  static let mistakes: [(text: String, line: Int, sentence: String)] = [
    ("url = \"ftp://a/\"", 3, "url must be an http or https address, or file:/// and a path."),
    ("url = \"http:///x\"", 3, "url has no valid host; write http://HOST/PATH."),
    ("url = \"http://a b/\"", 3, "url has a space; write %20 instead."),
    ("url = \"file:///a b.mp3\"", 3, "url has a space; write %20 instead."),
    ("url = \"http://a/\\u0007\"", 3, "url has a control character; remove it."),
    ("url = \"http://a:99999/\"", 3, "no valid host"), ("url = \"http://[::1/\"", 3, "no valid host"),
    ("url = \"radio.example:8000\"", 3, "url must be an http"), ("url = 5", 3, "url must be an http"),
    ("url = \"http://a/\"\nxml_meta_url = \"icy://a/\"", 4, "xml_meta_url must be an http or https address."),
    ("url = \"http://a/\"\nxml_meta_url = \"http://a b\"", 4, "xml_meta_url has a space; write %20 instead."),
    ("ulr = \"http://a/\"", 3, "there is no key \"ulr\" here; did you mean url?"),
    ("", 1, "url is missing; write url = \"http://…\"."),
    ("url = \"http://a/\"\ngain = 13", 4, "gain must lie between -60 and 12 dB."),
    ("url = \"http://a/\"\nlive = true\nfile = true", 5, "live and file exclude each other; keep one of them."),
    ("url = \"http://a/\"\ntype = \"xspf\"", 4, "type must be raw, pls or m3u."),
    ("url = \"http://a/\"\nuser = \"anna\"", 4, "must be \"name:password\""),
    ("url = \"http://a/\"\nheaders = [\"A: b\", \"nocolon\"]", 4, "an element of headers must be"),
    ("url = \"http://a/\"\nheaders = [\n\"A: b\\r\\nEvil: c\"]", 5, "an element of headers must be"),
    ("url = \"http://a/\"\nquery = \"k=v\"", 4, "query must be a list of up to 32"),
    ("url = \"http://a/\"\nmeta_encoding = \"klingon\"", 4, "must be an encoding that `iconv -l` lists"),
    ("url = \"http://a/\"\nmeta_encoding = \"iso-2022-cn_ext\"", 4, "must be an encoding that `iconv -l` lists"),
    ("url = \"http://a/\"\nstation_time_zone = \"Europe\"", 4, "must be a zone's letters, such as \"EST\"."),
    ("url = \"http://a/\"\nmax_bitrate = 0", 4, "must be a whole number between 8 and 10000 kbit/s."),
    ("url = \"http://a/\"\ndirectory_id = \"960cf833\"", 4, "directory_id must be a UUID, such as \"960cf833-"),
    ("url = \"http://a/\"\nxml_delay = 1e9", 4, "must lie between -3600 and 3600 s."),
    ("url = \"http://a/\"\ndrift = \"on\"", 4, "drift must be true or false."),
  ]

  @Test("A mistake in one station is reported with its line, and affects no other", arguments: mistakes)
  func mistake(_ text: String, _ line: Int, _ sentence: String) {
    let list = read("[[station]]\nname = \"bad\"\n\(text)\n\n[[station]]\nname = \"good\"\nurl = \"http://good/\"\n")
    #expect(list.problems.count == 1)
    #expect(list.problems.first?.line == line)
    #expect(list.problems.first?.description.contains(sentence) == true, "\(list.problems)")
    #expect(list.entries.map(\.station.name) == ["good"])
    #expect(list.entries.map(\.number) == [2])
  }

  static let alternatives: [(String, Int, String, [String])] = [
    ("\"http://b/\"", 4, "alternatives must be a list of up to 16, each an address", []),
    ("[\"http://b/\",\n\"c\"]", 5, "an element of alternatives must be an address, or a table", ["http://b/"]),
    ("[\"ftp://geheim@b/\", \"http://c/\"]", 4, "an element of alternatives must be an address", ["http://c/"]),
    ("[{ user = \"a:b\" }, \"http://c/\"]", 4, "alternatives: url is missing", ["http://c/"]),
    ("[{ url = \"http://b/\", name = \"x\" }]", 4, "no key \"name\" in alternatives", []),
    ("[{ url = \"http://b/\", user = \"geheim\" }]", 4, "alternatives: user must be", []),
    ("[\"http://b/\",\n\"http://a/\",\n\"http://c/\"]", 5, "is url itself or", ["http://b/", "http://c/"]),
    ("[\"http://b/\",\n{ url = \"http://b/\" }]", 5, "is url itself or appears twice", ["http://b/"]),
  ]

  @Test("A mistake in an alternative is reported with its line, and costs only this address", arguments: alternatives)
  func alternative(_ value: String, _ line: Int, _ sentence: String, _ others: [String]) {
    let text = "[[station]]\nname = \"one\"\nurl = \"http://a/\"\nalternatives = \(value)\n"
    for broken in ["", "\n[[station]]\nname = oops\n"] {
      let list = read(text + broken)
      #expect(list.problems.count == (broken.isEmpty ? 1 : 2) && list.problems.first?.line == line)
      #expect(list.problems.first?.description.contains(sentence) == true, "\(list.problems)")
      #expect(list.problems.allSatisfy { !$0.description.contains("geheim") })
      #expect(list.entries.map { $0.station.alternatives.map(\.url.unredacted) } == [others])
    }
    let folder = TemporaryFolder()
    folder.write(Array(text.utf8), to: "owner.toml")
    #expect(throws: Never.self) { try OwnerFile(folder: folder.path).load() }
  }

  @Test("A fault of the whole file is reported besides that of an alternative")
  func alternativeAndFile() {
    let list = read("x y\n[[station]]\nname = \"one\"\nurl = \"http://a/\"\nalternatives = [\"http://a/\"]\n")
    #expect(list.problems.map(\.line) == [1, 5] && list.entries.count == 1)
  }

  @Test("An alternative with an unreadable file of its user is reported with its line, and stays")
  func alternativeSecret() {
    let text = """
      [[station]]
      name = "one"
      url = "http://a/"
      alternatives = ["http://b/",
        { url = "http://c/", user = "@/nowhere/secret" },
        { url = "http://d/", user = "@secret" }, { url = "http://e/", user = "anna:geheim" }]

      """
    func problems(_ secrets: SecretCheck) -> [String] {
      let list = StationList.read(Array(text.utf8), file: "test.toml", secrets)
      #expect(list.entries.map(\.station.alternatives.count) == [4])
      return list.problems.map(\.description)
    }
    #expect(problems(.none) == [])
    #expect(
      problems(.files) == [
        "test.toml, line 5: alternatives: /nowhere/secret: it cannot be read (No such file or directory); until then "
          + "the radio leaves out this address."
      ])
    let all = problems(.all)
    #expect(all.count == 2 && all[1].contains("line 6: alternatives: secret: it names a credential"))
  }

  @Test("Names are unique, not empty, and stay on one line")
  func names() {
    let list = read(["a", "b", "a", "", " ", "x\\ny", "\\u202Ex"].map(station).joined())
    #expect(list.entries.map(\.station.name) == ["a", "b"])
    #expect(list.problems.map(\.line) == [8, 11, 14, 17, 20])
    #expect(
      list.problems.first?.description
        == "test.toml, line 8: name is that of the station of line 1 too; give it another.")
  }

  @Test("A line that is not TOML does not affect other stations")
  func salvage() {
    let text =
      station("a") + station("b") + "user = oops\n" + station("c") + "gain = 99\n" + station("d") + station("a")
    let list = read("# head\n" + text)
    #expect(list.entries.map(\.station.name) == ["a", "d"])
    #expect(list.entries.map(\.number) == [1, 4])
    #expect(list.entries.map(\.line) == [2, 13])
    #expect(list.problems.map(\.line) == [8, 12, 16])
    // A second "a", followed by an unknown section.
    let twice = read("\u{1A}\n" + station("a") + station("a") + "[[other]]\n")
    #expect(twice.problems.map(\.line) == [5, 8])
  }

  @Test(
    "No sentence repeats the text of a wrong line",
    arguments: [
      "user = \"geheim\"", "user = geheim", "user = 'anna:geheim", "user = \"anna:geheim\\q\"", "user = 'a'geheim",
      "headers = [\"geheim\"]",
      "alternatives = [\"geheim\"]", "alternatives = [{ url = \"http://b/\", user = \"geheim\" }]",
      "directory_id = \"geheim\"", "headers = \"X: geheim\"", "headers = [geheim", "query = \"geheim\"",
      "url = \"ftp://anna:geheim@a\"", "url = \"http://anna:geheim@a b\"", "url = \"http://anna:geheim@[::1/\"",
      "geheim", "anna:geheim = 1", "\"X: geheim\" = true", "user = \"a\" \"geheim\"", "gain = 00geheim",
      "gain = 1_geheim",
      "user = \"x\"\nuser = \"geheim\"", "[\"X geheim\"]\n[\"X geheim\"]", "name = \"geheim\\u0007\"", "x = {geheim",
      "a.\"b geheim\" = 1\na.\"b geheim\" = 2", "gain = 2026-geheim", "gain = 0xgeheim", "gain = true\u{301}geheim",
      "user = 1'x', saw 'geheim'", "gain = ', saw 'geheim", "audio = \"geheim\"", "[control]\nlisten = \"geheim:1\"",
    ])
  func repeatsNothing(_ line: String) {
    let texts = ["[[station]]\n", "[[station]]\nname = \"a\"\nurl = \"http://a/\"\n", ""].map { $0 + line + "\n" }
    for text in texts {
      var sentences = read(text).problems.map(\.description)
      do { _ = try Configuration(Array(text.utf8), file: "x") } catch { sentences.append(error.description) }
      #expect(sentences.count > 1)
      for sentence in sentences { #expect(!sentence.contains("geheim")) }
    }
  }

  @Test("A missing or empty file has no stations")
  func none() {
    #expect(
      StationList.load("/no/such/file").problems.map(\.description) == [
        "/no/such/file: it cannot be read (No such file or directory)."
      ])
    #expect(read("# nothing yet\n").entries == [] && read("# nothing yet\n").problems == [])
    #expect(
      read("station = 3").problems.map(\.problem) == ["a station begins with the line [[station]], in double brackets"])
    #expect(read("[station]\nname = \"a\"").problems.count == 1)
    #expect(read("[[station]]\n[[statoin]]").problems.map(\.line) == [1, 2, 1].sorted())
  }

  @Test("The number of stations is limited")
  func most() {
    let list = read((1...StationList.maxCount + 2).map { station("s\($0)") }.joined())
    #expect(list.entries.count == StationList.maxCount)
    #expect(list.problems.map(\.line) == [StationList.maxCount * 3 + 1])
  }

  @Test(
    "A station is named in any case, or by number",
    arguments: [("fip", 1), ("2", 2), ("7", 3), ("nova", nil), ("0", nil), ("-1", nil)] as [(String, Int?)])
  func lookup(_ text: String, _ number: Int?) {
    let list = read(station("FIP") + station("KEXP") + station("7") + station("Ö1"))
    #expect(list.entry(text)?.number == number)
  }

  /// A station with every option.
  private var full: StationSettings {
    var station = StationSettings(name: "a", url: "http://a/")
    (station.mode, station.type) = (.live, .m3u)
    (station.user, station.userAgent) = ("anna:geheim", "Radio/1")
    (station.headers, station.query) = (["A: b", "C: d, e"], ["k=v", "x"])
    (station.metadataEncoding, station.xmlMetadataURL, station.xmlDelay) = ("koi8-r", "https://x/y?z", 5)
    (station.stationTimeZone, station.live365MetadataURL) = ("EST", "http://l/")
    station.directoryID = "960CF833-0601-11e8-ae97-52543be04c81"
    var other = StationAlternative(of: station)
    other.url = "http://c/"
    station.alternatives = [StationAlternative("http://b/x?\"y"), other]
    (station.usesAudioCast, station.gain, station.drift) = (true, -3, false)
    return station
  }

  @Test(
    "A fallback is shown and exported without secrets, also if its address is misspelt",
    arguments: ["http://anna:geheim@h/x", "http:/anna:geheim@h/x", "anna:geheim@h:80/x", "h/x?token=geheim"])
  func fallbackSecrets(entry: String) {
    var station = StationSettings(name: "One", url: "http://one.example/")
    station.fallback = [entry, "/srv/music?@", "FIP"]
    #expect(!StationFallback(entry).description.contains("geheim"))
    #expect(station.withoutSecrets.fallback?.contains { $0.contains("geheim") } == false)
    #expect(station.withoutSecrets.fallback?.suffix(2) == ["/srv/music?@", "FIP"])
  }
}

func read(_ text: String) -> StationList { StationList.read(Array(text.utf8), file: "test.toml") }

func station(_ name: String) -> String { "[[station]]\nname = \"\(name)\"\nurl = \"http://a.example/\"\n" }
