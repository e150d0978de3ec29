import Directory
import DirectorySupport
import Testing
import Units

@testable import Control

/// Browsing in the station directory. Error messages are those of MPD 0.23.12.
@Suite struct BrowseTests {
  private let bench: Bench
  private let client: Client

  init() throws {
    bench = try SampleDirectory.bench()
    client = bench.client()
  }

  @Test(
    "The tree has countries, their genres, and stations by votes (G4)",
    arguments: [
      ("lsinfo", ["Radio"]), ("lsinfo /", ["Radio"]), ("lsinfo \"\"", ["Radio"]),
      (
        "lsinfo Radio",
        ["Radio/All", "Radio/France", "Radio/Germany", "Radio/Russia"]
      ),
      (
        "lsinfo Radio/Germany",
        [
          "Radio/Germany/All", "Radio/Germany/Jazz", "Radio/Germany/Classic rock", "Radio/Germany/Pop",
          "Radio/Germany/Rock-pop", "Radio/Germany/Talk",
        ]
      ),
      ("lsinfo Radio/Germany/Jazz", []),
      ("listfiles", ["Radio"]), ("listfiles Radio", ["All", "France", "Germany", "Russia"]),
      (
        "listall Radio/France",
        ["Radio/France", "Radio/France/All", "Radio/France/Jazz"]
      ),
      ("listall Radio/France/Jazz", ["Radio/France/Jazz"]),
      ("listall", ["Radio", "Radio/All", "Radio/France", "Radio/Germany", "Radio/Russia"]),
      ("listall Radio", ["Radio", "Radio/All", "Radio/France", "Radio/Germany", "Radio/Russia"]),
    ])
  func folders(_ command: String, _ expected: [String]) {
    let found = client.values("directory", of: command)
    #expect(found.sorted() == expected.sorted())
    #expect(found.first == expected.first)
  }

  @Test(
    "A folder's stations are sorted by votes, dead ones last (G4)",
    arguments: [
      ("Radio/Germany/Jazz", ["Kitchen FM", "Café Müller", "Jazz Berlin"]),
      ("Radio/Germany/jazz", ["Kitchen FM", "Café Müller", "Jazz Berlin"]),
      ("Radio/Germany/Rock-pop", ["Nachtradio"]),
      ("Radio/Germany/All", ["Kitchen FM", "Café Müller", "Jazz Berlin", "Nachtradio", "Berlin Talk"]),
      ("Radio/All/Pop", ["Kitchen FM", "Nowhere"]), ("Radio/France/All", ["Paris Jazz", "jazz berlin", "Old Kitchen"]),
    ])
  func stations(_ path: String, _ expected: [String]) {
    #expect(client.values("Title", of: "lsinfo \"\(path)\"") == expected)
    #expect(client.values("Name", of: "listallinfo \"\(path)\"") == expected)
    #expect(client.values("file", of: "listall \"\(path)\"").count == expected.count)
    #expect(client.values("file", of: "listfiles \"\(path)\"").count == expected.count)
  }

  @Test("A station has address, names, country and genres, and no end (G4)")
  func lines() {
    #expect(
      client.ask("lsinfo Radio/Germany/Pop") == """
        file: http://kitchenfm.example/live
        Artist: Germany
        Title: Kitchen FM
        Name: Kitchen FM
        Genre: Jazz
        Genre: Pop
        OK

        """)
    #expect(client.ask("tagtypes disable Artist Title Genre") == "OK\n")
    #expect(
      client.ask("lsinfo Radio/Germany/Pop") == "file: http://kitchenfm.example/live\nName: Kitchen FM\nOK\n")
    #expect(client.ask("listall Radio/Germany/Pop").hasPrefix("directory: Radio/Germany/Pop\nfile: http"))
    #expect(
      client.ask("lsinfo Radio").hasPrefix("directory: Radio/All\nLast-Modified: 2023-11-14T22:13:20Z\n"))
  }

  @Test(
    "A missing path is refused in MPD's words (G4)",
    arguments: [
      "x", "Radio/", "/Radio", "Radio//Germany", "Radio/../Radio", "../x", "..", "Radio/Nowhere",
      "Radio/Germany/Polka", "Radio/Germany/", "Radio/Germany/Jazz/Kitchen FM", "Radio/Germany/\u{1}", "Radio/\u{202E}",
      "Radio/Germany/All/", "radio", " ", "Radio/Germany/!!!",
    ])
  func missing(_ path: String) {
    for command in ["lsinfo", "listall", "listallinfo", "listfiles"] {
      #expect(client.ask("\(command) \"\(path)\"") == "ACK [50@0] {\(command)} No such directory\n")
    }
    #expect(client.ask("search base \"\(path)\"").hasPrefix("ACK ["))
    #expect(client.ask("add \"\(path)\"").hasPrefix("ACK [50@0] {add} "))
    #expect(client.ask("addid \"\(path)\"").hasPrefix("ACK [50@0] {addid} "))
    #expect(bench.player.queue.count == 0)
  }

  @Test("A path of any depth and length is refused at once (G4)")
  func depth() {
    let deep = Array(repeating: "Radio", count: 2_500).joined(separator: "/")
    #expect(client.ask("lsinfo \"\(deep)\"") == "ACK [50@0] {lsinfo} No such directory\n")
    let wide = "Radio/Germany/" + String(repeating: "x", count: 15_000)
    #expect(client.ask("lsinfo \"\(wide)\"") == "ACK [50@0] {lsinfo} No such directory\n")
  }

  @Test("The root has the folder of stations and the stored playlists (G4)")
  func root() {
    bench.player.setPresets(PresetList([Preset(name: "One", request: .init(url: "http://one.example/"))], changed: 1))
    let pairs = client.pairs("lsinfo").filter { $0.key != "Last-Modified" }
    #expect(pairs.map(\.key) == ["directory", "playlist", "playlist"])
    #expect(pairs.map(\.value) == ["Radio", "Presets", "One"])
  }

  @Test("A folder is added with its stations' names, at the end or at a position (G4)")
  func add() {
    #expect(client.ask("add Radio/Germany/Jazz") == "OK\n")
    #expect(client.values("Name", of: "playlistinfo") == ["Kitchen FM", "Café Müller", "Jazz Berlin"])
    #expect(client.ask("add Radio/France/Jazz 1") == "OK\n")
    #expect(
      client.values("Name", of: "playlistinfo")
        == ["Kitchen FM", "Paris Jazz", "jazz berlin", "Café Müller", "Jazz Berlin"])
    #expect(client.ask("add / 99") == "ACK [2@0] {add} Number too large: 99\n")
    #expect(client.ask("clear\nadd /") == "OK\nOK\n")
    #expect(bench.player.queue.count == 10)
  }

  @Test("An address from the directory retains its station's name in the queue (G4)")
  func names() throws {
    for file in client.values("file", of: "lsinfo Radio/Germany/Jazz") {
      #expect(client.ask("addid \"\(file)\"").hasPrefix("Id: "))
    }
    #expect(client.ask("add http://unknown.example/live") == "OK\n")
    #expect(client.ask("load http://kitchenfm.example/live") == "OK\n")
    #expect(
      bench.player.queue.stations.map(\.name) == ["Kitchen FM", "Café Müller", "Jazz Berlin", "", "Kitchen FM"])
    #expect(bench.player.queue[1]?.address == "https://cafe.example/live?id=7")
    #expect(client.values("Title", of: "lsinfo http://kitchenfm.example/live") == ["Kitchen FM"])
    #expect(client.ask("lsinfo http://unknown.example/live") == "OK\n")
  }

  @Test("A directory address of a preset uses the preset's settings (G4)")
  func preset() throws {
    var request = try #require(ControlContext.webStation("http://kitchenfm.example/live"))
    request.headers = ["X-Key: 1"]
    bench.player.setPresets(PresetList([Preset(name: "Mine", request: request)]))
    #expect(client.ask("add Radio/Germany/Pop") == "OK\n")
    #expect(bench.player.queue[0]?.name == "Mine")
    #expect(bench.player.queue[0]?.request.headers.isEmpty == false)
  }

  @Test("The statistics count the directory; its update is the owner's (G4)")
  func statistics() {
    let stats = client.pairs("stats").filter { !["uptime", "playtime"].contains($0.key) }
    #expect(stats.map(\.key) == ["artists", "albums", "songs", "db_playtime", "db_update"])
    #expect(stats.map(\.value) == ["3", "0", "10", "0", "1700000000"])
    for command in ["update", "rescan", "update Radio"] {
      let name = command.prefix { $0 != " " }
      #expect(
        client.ask(command) == "ACK [5@0] {\(name)} `bakelite find --update` updates the station directory\n")
    }
  }

  @Test("Without a copy the commands refuse like MPD without a database (G4)")
  func absence() throws {
    let client = try Bench().client()
    let commands = [
      "lsinfo", "lsinfo Radio", "listall", "listallinfo", "listfiles", "find any x", "search any x", "list genre",
      "count any x", "findadd any x", "searchadd any x", "searchaddpl x any x", "add x", "update", "rescan",
    ]
    for command in commands {
      #expect(client.ask(command) == "ACK [50@0] {\(command.prefix { $0 != " " })} No database\n", "\(command)")
    }
    #expect(client.values("songs", of: "stats") == [])
    #expect(client.ask("radio_find x").contains("`bakelite find --update` fetches it"))
  }
}
