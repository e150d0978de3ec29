import Directory
import DirectorySupport
import Testing
import Units

@testable import Control
@testable import Http
import Network

/// Commands that find stations in the directory.
@Suite struct FindTests {
  private let bench: Bench
  private let client: Client

  init() throws {
    bench = try SampleDirectory.bench()
    client = bench.client()
  }

  @Test(
    "A search matches word prefixes, in any case and with any accents (G4)",
    arguments: [
      ("any \"jazz berlin\"", ["Jazz Berlin", "jazz berlin"]), ("any \"berl jaz\"", ["Jazz Berlin", "jazz berlin"]),
      ("any kitchn", ["Kitchen FM", "Old Kitchen"]), ("title \"cafe mull\"", ["Café Müller"]),
      ("name mayak", ["Радио Маяк"]), ("title JAZZ", ["Jazz Berlin", "Paris Jazz", "jazz berlin"]),
      ("title berlin genre jazz", ["Jazz Berlin", "jazz berlin"]),
      ("artist fra", ["Paris Jazz", "jazz berlin", "Old Kitchen"]),
      ("genre rock", ["Jazz Berlin", "Nachtradio"]), ("genre \"rock clas\"", ["Jazz Berlin"]),
      ("file cafe", ["Café Müller"]), ("file other.example", ["jazz berlin"]), ("album x", []),
      ("\"(any contains 'pop')\"", ["Kitchen FM", "Nachtradio", "Nowhere"]),
      ("\"((any contains 'jazz') AND (!(artist == 'germany')))\"", ["Paris Jazz", "jazz berlin"]),
      ("\"(genre == 'CLASSIC ROCK')\"", ["Jazz Berlin"]),
      ("\"(title == 'jazz BERLIN')\"", ["Jazz Berlin", "jazz berlin"]),
      ("base Radio/Germany title berlin", ["Jazz Berlin", "Berlin Talk"]),
      ("\"((base 'Radio/Germany/Jazz') AND (title !contains 'berlin'))\"", ["Kitchen FM", "Café Müller"]),
      ("\"((any contains 'jazz') AND (!(base 'Radio/Germany')))\"", ["Paris Jazz", "jazz berlin"]),
      ("any zzz", []), ("title \"\" genre talk", ["Berlin Talk"]), ("title itchen", []),
    ])
  func searches(_ arguments: String, _ expected: [String]) {
    #expect(client.values("Title", of: "search \(arguments)") == expected)
    bench.player.clear()
    #expect(client.ask("searchadd \(arguments)") == "OK\n")
    #expect(bench.player.queue.stations.map(\.name) == expected)
  }

  @Test("Directory addresses stay out of the owner's network, also when a client adds them (G4)")
  func reach() throws {
    let bench = try SampleDirectory.bench([
      SampleDirectory.station("Router", "Germany", "DE", "jazz", votes: 9, url: "http://192.168.1.1/reboot"),
      SampleDirectory.station("Public", "Germany", "DE", "jazz", votes: 8, url: "http://public.example/live"),
    ])
    let client = bench.client()
    #expect(client.ask("add http://192.168.1.1/reboot") == "OK\n", "the owner may")
    bench.player.clear()
    #expect(client.ask("searchadd genre jazz") == "OK\n")
    #expect(bench.player.queue.stations.map(\.name) == ["Public"])
    for command in ["add", "addid", "radio_tune", "radio_select"] {
      #expect(client.ask("\(command) http://192.168.1.1/reboot").hasPrefix("ACK [4@0]"), "\(command)")
    }
    #expect(client.ask("add http://public.example/live") == "OK\n")
    #expect(client.ask("radio_select http://public.example/live") == "OK\n")
    #expect(client.ask("add http://other.example/") == "OK\n")
    let reaches = bench.player.queue.stations.map(\.request.reach)
    #expect(reaches.map { $0 == .anywhere } == [false, false, true])
  }

  @Test("A directory station in queue or presets has its restrictions too (G4)")
  func reachOfQueue() throws {
    let bench = try SampleDirectory.bench([
      SampleDirectory.station("Part", "Germany", "DE", "jazz", votes: 9, url: "http://part.example/live#a")
    ])
    let client = bench.client()
    #expect(client.ask("searchadd genre jazz") == "OK\n")
    #expect(client.ask("radio_tune_found http://found.example/ https://directory.example/ Found") == "OK\n")
    var panel = StationRequest(url: "http://panel.example/live")
    panel.reach = AddressPolicy(namedBy: "https://directory.example/")
    #expect(bench.player.tune(panel, name: "Panel") && client.ask("add http://panel.example/live") == "OK\n")
    #expect(bench.player.queue.stations.map { $0.request.reach == .anywhere } == [false, false, false, false])
    for address in client.values("file", of: "playlistinfo") {
      bench.player.clear()
      #expect(client.ask("add \(address)") == "OK\n")
      #expect(bench.player.queue.stations.map { $0.request.reach == .anywhere } == [false], "\(address)")
    }
    bench.player.clear()
    #expect(client.ask("add http://other.example/") == "OK\n")
    #expect(bench.player.queue.stations.first?.request.reach == .anywhere)
  }

  @Test("Paging through a directory forgets no address (G4)")
  func remembers() {
    let told = ReportedAddresses()
    for number in 0..<2 * ReportedAddresses.generationSize - 1 { told.insert("http://a.example/\(number)") }
    #expect(told.has("http://a.example/0") && !told.has("http://b.example/"))
    for number in 0..<ReportedAddresses.generationSize { told.insert("http://b.example/\(number)") }
    #expect(!told.has("http://a.example/0") && told.has("http://b.example/0"))
  }

  @Test("A station found by another program plays by name, within its restrictions (G1)")
  func tunesFound() {
    #expect(client.ask("radio_tune_found http://10.0.0.1/ https://directory.example/ X").hasPrefix("ACK [4@0]"))
    #expect(client.ask("radio_tune_found ftp://a.example/ https://directory.example/ X").hasPrefix("ACK [2@0]"))
    #expect(client.ask("radio_tune_found http://127.0.0.1:8000/ http://127.0.0.1:8080/ \"Kitchen FM\"") == "OK\n")
    #expect(bench.player.current?.name == "Kitchen FM")
    bench.player.clear()
    #expect(client.ask("add http://127.0.0.1:8000/") == "OK\n", "the owner may")
    let long = String(repeating: "x", count: 900)
    #expect(client.ask("radio_tune_found http://b.example/ https://d.example/ \"A\u{1B}]0;\u{7}\(long)\"") == "OK\n")
    let name = bench.player.current?.name ?? ""
    #expect(name.hasPrefix("A") && name.count <= 100 && !name.unicodeScalars.contains { $0.value < 32 })
  }

  @Test(
    "find matches whole values literally (G4)",
    arguments: [
      ("genre Jazz", ["Kitchen FM", "Café Müller", "Jazz Berlin", "Paris Jazz", "jazz berlin"]),
      ("genre jazz artist France", ["Paris Jazz", "jazz berlin"]), ("genre JAZZ", []),
      ("title \"jazz berlin\"", ["jazz berlin"]), ("title \"Jazz Berlin\"", ["Jazz Berlin"]), ("title Jazz", []),
      ("any Germany", ["Kitchen FM", "Café Müller", "Jazz Berlin", "Nachtradio", "Berlin Talk"]),
      ("any \"Cafe Muller\"", []), ("name \"Café Müller\"", ["Café Müller"]),
      ("file http://other.example/a/b", ["jazz berlin"]), ("file https://cafe.example/live", []),
      ("\"(title contains 'itchen')\"", ["Kitchen FM", "Old Kitchen"]), ("\"(title contains 'ITCHEN')\"", []),
      ("\"(artist == '')\"", ["Nowhere"]), ("album \"\" artist \"Russia\"", ["Радио Маяк"]),
      ("\"(album != '')\"", []), ("base Radio/France", ["Paris Jazz", "jazz berlin", "Old Kitchen"]),
      ("\"((genre == 'Jazz') AND (genre == 'Pop'))\"", ["Kitchen FM"]), ("artist Atlantis", []),
    ])
  func finds(_ arguments: String, _ expected: [String]) {
    #expect(client.values("Title", of: "find \(arguments)") == expected)
    #expect(client.value("songs", of: "count \(arguments)") == "\(expected.count)")
    bench.player.clear()
    #expect(client.ask("findadd \(arguments)") == "OK\n")
    #expect(bench.player.queue.stations.map(\.name) == expected)
  }

  @Test(
    "Windows cut and sort orders, by name or country (G4)",
    arguments: [
      ("base Radio window 1:3", ["Café Müller", "Jazz Berlin"]), ("base Radio window 9:40000", ["Old Kitchen"]),
      ("base Radio window 10:", []), ("base Radio window 4", ["Paris Jazz"]), ("base Radio window 2147483646:", []),
      ("title berlin window 1:2", ["Berlin Talk"]), ("title jazz window 1:9", ["Paris Jazz", "jazz berlin"]),
      ("base Radio/Germany sort Title", ["Berlin Talk", "Café Müller", "Jazz Berlin", "Kitchen FM", "Nachtradio"]),
      ("base Radio/Germany sort -title window 0:2", ["Nachtradio", "Kitchen FM"]),
      ("title jazz sort Artist window 0:9", ["Paris Jazz", "jazz berlin", "Jazz Berlin"]),
      ("title jazz sort -Artist", ["Jazz Berlin", "Paris Jazz", "jazz berlin"]),
      ("any pop sort artist", ["Kitchen FM", "Nachtradio", "Nowhere"]),
      ("any kitchen sort Date", ["Kitchen FM", "Old Kitchen"]),
    ])
  func windows(_ arguments: String, _ expected: [String]) {
    #expect(client.values("Title", of: "search \(arguments)") == expected)
  }

  @Test(
    "A wrong filter is refused in MPD's words (G4)",
    arguments: [
      ("find title x sort foo", "[2@0] {find} Unknown sort tag"),
      ("find title x window 2:1", "[2@0] {find} Malformed range: 2:1"),
      ("find title x window x", "[2@0] {find} Integer or range expected: x"),
      ("find title x window", "[2@0] {find} Incorrect number of filter arguments"),
      ("find title x window 0:2 sort Title", "[2@0] {find} Unknown filter type"),
      ("search base nope", "[50@0] {search} No such directory"), ("search base /x", "[2@0] {search} Bad URI"),
      ("list artist x", "[2@0] {list} should be \"Album\" for 3 arguments"),
      ("list title group foo", "[2@0] {list} Unknown tag type: foo"),
      ("list foo", "[2@0] {list} Unknown tag type: foo"),
      ("searchadd title x position 99", "[2@0] {searchadd} Number too large: 99"),
      ("addid Radio", "[50@0] {addid} No such song"), ("add nope", "[50@0] {add} No such directory"),
      ("searchaddpl x title y", "[5@0] {searchaddpl} Stored playlists are the presets; radio_preset changes them"),
    ])
  func refusals(_ command: String, _ expected: String) { #expect(client.ask(command) == "ACK \(expected)\n") }

  @Test(
    "Tag values are listed once each, in groups if requested (G4)",
    arguments: [
      ("list genre", "Genre: All|Genre: Classic rock|Genre: Jazz|Genre: News|Genre: Pop|Genre: Rock/pop|Genre: Talk"),
      ("list artist", "Artist: France|Artist: Germany|Artist: Russia"),
      ("list artist genre Pop", "Artist: |Artist: Germany"), ("list genre artist France", "Genre: |Genre: Jazz"),
      (
        "list genre base Radio/Germany",
        "Genre: All|Genre: Classic rock|Genre: Jazz|Genre: Pop|Genre: Rock/pop|Genre: Talk"
      ),
      ("list title \"(artist == 'France')\"", "Title: Old Kitchen|Title: Paris Jazz|Title: jazz berlin"),
      ("list album", "Album: "), ("list album France", "Album: "), ("list album Atlantis", ""),
      (
        "list title genre Jazz group artist",
        "Artist: France|Title: Paris Jazz|Title: jazz berlin|Artist: Germany|Title: Café Müller|Title: Jazz Berlin"
          + "|Title: Kitchen FM"
      ),
      ("list file genre Talk", "file: http://berlintalk.example/live"),
      ("count genre Jazz group artist", "Artist: France|songs: 2|playtime: 0|Artist: Germany|songs: 3|playtime: 0"),
      (
        "count group artist",
        "Artist: |songs: 1|playtime: 0|Artist: France|songs: 3|playtime: 0|Artist: Germany|songs: 5"
          + "|playtime: 0|Artist: Russia|songs: 1|playtime: 0"
      ),
    ])
  func lists(_ command: String, _ expected: String) {
    let lines = client.ask(command).split(separator: "\n").dropLast()
    #expect(lines.joined(separator: "|") == expected)
  }

  @Test("Filters with many comparisons, deep nesting or many groups are refused (G4)")
  func hostile() {
    let many = Array(repeating: "(title == 'a')", count: 65).joined(separator: " AND ")
    for command in ["find", "search", "count", "findadd", "searchadd"] {
      #expect(
        client.ask("\(command) \"(\(many))\"") == "ACK [2@0] {\(command)} A filter has 64 comparisons at most\n")
    }
    let few = Array(repeating: "(!(title == 'a'))", count: 64).joined(separator: " AND ")
    #expect(client.value("songs", of: "count \"(\(few))\"") == "10")
    let deep = String(repeating: "(", count: 5_000) + "title == 'a'" + String(repeating: ")", count: 5_000)
    #expect(client.ask("find \"\(deep)\"") == "ACK [2@0] {find} Expression is nested too deeply\n")
    #expect(
      client.ask("list title group artist group genre group name group artist")
        == "ACK [2@0] {list} Values are listed in 3 groups at most\n")
    let long = String(repeating: "qxä ", count: 3_000)
    #expect(client.ask("search any \"\(long)\"") == "OK\n")
    #expect(client.ask("find title \"\(long)\" window 0:99999999999999").hasPrefix("ACK [2@0] {find} Number too large"))
    #expect(client.ask("search file \"\(long)\" sort -Title window 2147483646:") == "OK\n")
  }

  @Test("Stations are added at the given position (G4)")
  func position() {
    bench.add("a", "b")
    #expect(client.ask("searchadd title berlin window 0:2 position 1") == "OK\n")
    #expect(bench.player.queue.stations.map(\.name) == ["", "Jazz Berlin", "Berlin Talk", ""])
  }

  @Test("A full queue ends the addition (G4)")
  func full() {
    for number in 0..<StationQueue.maxStations - 1 { bench.add("\(number)") }
    #expect(client.ask("findadd base Radio") == "ACK [51@0] {findadd} Playlist is too large\n")
    #expect(bench.player.queue.count == StationQueue.maxStations)
  }

  @Test("radio_find returns all known values, the count, and a flag for misspelt words (G4)")
  func words() {
    let found = client.pairs("radio_find kitchn")
    #expect(
      found.prefix(4).map { "\($0.key)=\($0.value)" } == [
        "found=2", "misspelt=1", "file=http://kitchenfm.example/live", "name=Kitchen FM",
      ])
    #expect(found.filter { $0.key == "alive" }.map(\.value) == ["1", "0"])
    #expect(client.values("name", of: "radio_find berlin jazz window 1:9") == ["jazz berlin"])
    #expect(client.values("found", of: "radio_find berlin jazz window 1:9") == ["2"])
    #expect(client.ask("radio_find zzzz") == "found: 0\nmisspelt: 0\nOK\n")
    #expect(client.ask("radio_find x window 1:0").hasPrefix("ACK [2@0] {radio_find} Malformed range"))
  }
}
