import Control
import Directory
import DirectorySupport
import Panel
import Settings
import Testing
import Units

@testable import Box
@testable import Network

/// Directory lists for the panel (G3).
@Suite struct StationFinderTests {
  private let folder = DirectoryFolder()

  /// A finder for a box in this country; nil if the country is unknown.
  private func finder(_ code: String? = "DE") throws -> StationFinder {
    try folder.fill([
      ("Kitchen FM", "jazz,pop", "DE", true), ("Antenne", "pop", "DE", true), ("Kanal K", "news", "AT", true),
      ("Old Kanal", "jazz", "DE", false), ("Radio 4", "news,pop", "GB", true), ("Kitsch", "pop", "DE", false),
    ])
    let keeper = DirectoryKeeper(folder)
    _ = keeper.settled(at: at(0))
    return StationFinder(keeper, zone: "Zone") { _ in code }
  }

  private static func rows(
    _ finder: StationFinder, _ list: FindList, cursor: Int? = nil, tuned: StationAddress? = nil
  ) -> FindRows? {
    guard case .rows(let rows) = finder.answer(FindRequest(list, cursor: cursor), tuned: tuned, at: at(0)) else {
      return nil
    }
    return rows
  }

  private static func names(_ finder: StationFinder, _ list: FindList) -> [String]? {
    rows(finder, list)?.rows.map { row in row.count.map { "\(row.name) \($0)" } ?? row.name }
  }

  @Test("Each list has its rows, most votes first, dead stations last (G3)")
  func lists() throws {
    let finder = try finder()
    defer { finder.finish() }
    let all = ["Kitchen FM", "Antenne", "Kanal K", "Radio 4", "Old Kanal", "Kitsch"]
    #expect(Self.names(finder, .start) == [])
    #expect(Self.names(finder, .popular) == all)
    #expect(Self.names(finder, .nearMe) == ["Kitchen FM", "Antenne", "Old Kanal", "Kitsch"])
    #expect(Self.names(finder, .genres) == ["pop 4", "jazz 2", "news 2"])
    #expect(Self.names(finder, .genre("jazz")) == ["Kitchen FM", "Old Kanal"])
    #expect(Self.names(finder, .countries) == ["Austria 1", "Germany 4", "United Kingdom 1"])
    #expect(Self.names(finder, .country(code: "GB", name: "United Kingdom")) == ["Radio 4"])
    #expect(Self.names(finder, .letters(after: "")) == ["a 1", "k 3", "o 1", "r 1"])
    #expect(Self.names(finder, .letters(after: "ki")) == [" 2", "t 2"])
    #expect(Self.names(finder, .names(beginning: "ki")) == ["Kitchen FM", "Kitsch"])
    #expect(Self.names(finder, .names(beginning: "k")) == ["Kanal K", "Kitchen FM", "Kitsch"])
    #expect(Self.names(finder, .names(beginning: "x")) == [] && Self.names(finder, .genre("polka")) == [])
    #expect(Self.rows(finder, .popular)?.rows.map(\.isAlive) == [true, true, true, true, false, false])
  }

  @Test("Rows open their lists and stations (G3)")
  func targets() throws {
    let finder = try finder()
    defer { finder.finish() }
    let targets = { (list: FindList) in Self.rows(finder, list)?.rows.map(\.target) ?? [] }
    #expect(targets(.genres).first == .list(.genre("pop")))
    #expect(targets(.countries).last == .list(.country(code: "GB", name: "United Kingdom")))
    #expect(targets(.letters(after: "")).first == .list(.names(beginning: "a")), "a few names are listed at once")
    #expect(targets(.letters(after: "k")).first == .list(.names(beginning: "k")), "all of them")
    #expect(targets(.popular) == (0..<6).map { .station($0) })
    #expect(finder.station(0)?.entry.name == "Kitchen FM" && finder.station(5)?.entry.name == "Kitsch")
    #expect(finder.station(6) == nil && finder.station(-1) == nil)
  }

  @Test("Further letters are listed until few names are left (G3)", arguments: [(100, false), (101, true)])
  func letters(_ count: Int, _ isMore: Bool) throws {
    try folder.fill((0..<count).map { ("Radio \($0)", "", "DE", true) })
    let keeper = DirectoryKeeper(folder)
    _ = keeper.settled(at: at(0))
    let finder = StationFinder(keeper, zone: "") { _ in nil }
    defer { finder.finish() }
    let next = isMore ? FindList.letters(after: "r") : .names(beginning: "r")
    #expect(Self.rows(finder, .letters(after: ""))?.rows.first?.target == .list(next))
  }

  @Test("Lists start at the own country and at the letters (G3)")
  func starts() throws {
    let finder = try finder("GB")
    defer { finder.finish() }
    #expect(Self.rows(finder, .countries)?.start == 2 && Self.rows(finder, .popular)?.start == 0)
    #expect(Self.rows(finder, .letters(after: ""))?.start == 0 && Self.rows(finder, .letters(after: "k"))?.start == 1)
    try folder.fill([("1 Live", "", "", true), ("2 Day", "", "", true), ("Bob", "", "", true)])
    let keeper = DirectoryKeeper(folder)
    _ = keeper.settled(at: at(0))
    let other = StationFinder(keeper, zone: "") { _ in nil }
    defer { other.finish() }
    #expect(Self.rows(other, .letters(after: ""))?.start == 2)
  }

  @Test("A box with an unknown or empty country asks for one (G3)", arguments: [nil, "FR"])
  func asks(_ code: String?) throws {
    let finder = try finder(code)
    defer { finder.finish() }
    #expect(Self.names(finder, .nearMe) == ["Austria 1", "Germany 4", "United Kingdom 1"])
  }

  @Test("Another time zone means another country (G3)")
  func zones() throws {
    try folder.fill([("A", "", "DE", true), ("B", "", "AT", true)])
    let keeper = DirectoryKeeper(folder)
    _ = keeper.settled(at: at(0))
    let finder = StationFinder(keeper, zone: "Europe/Berlin") { $0 == "Europe/Berlin" ? "DE" : "AT" }
    defer { finder.finish() }
    #expect(Self.names(finder, .nearMe) == ["A"])
    var settings = Configuration()
    (settings.directory.path, settings.timezone) = (folder.path, "Europe/Vienna")
    finder.use(settings)
    #expect(Self.names(finder, .nearMe) == ["B"])
  }

  @Test("Only rows around the cursor are returned (G3)")
  func windows() throws {
    try folder.fill(SampleStations(300))
    let keeper = DirectoryKeeper(folder)
    _ = keeper.settled(at: at(0))
    let finder = StationFinder(keeper, zone: "") { _ in nil }
    defer { finder.finish() }
    for list in [FindList.popular, .genres, .countries, .letters(after: ""), .names(beginning: "r")] {
      for cursor in [nil, 0, 3, 20, 299, 300, 5_000, .max, -7] as [Int?] {
        let rows = try #require(Self.rows(finder, list, cursor: cursor))
        #expect(rows.rows.count <= 9 && rows.from >= 0)
        let place = max(0, min(cursor ?? rows.start, rows.total - 1))
        #expect((rows.from..<rows.from + rows.rows.count).contains(place))
      }
    }
  }

  @Test("The tuned station is marked (G3)")
  func tuned() throws {
    let finder = try finder()
    defer { finder.finish() }
    let marks = { (url: StationAddress?) in
      Self.rows(finder, .popular, tuned: url)?.rows.map(\.isTuned).firstIndex(of: true)
    }
    #expect(marks(nil) == nil && marks("http://elsewhere.example/") == nil)
    #expect(marks("http://s1.example/stream") == 1)
  }

  @Test("A rank is valid only in the directory of the last answer (G3)")
  func editions() throws {
    let keeper = DirectoryKeeper(folder)
    let finder = StationFinder(keeper, zone: "") { _ in nil }
    defer { finder.finish() }
    let request = FindRequest(.popular, cursor: nil)
    #expect(finder.answer(request, tuned: nil, at: at(0)) == .opening && finder.station(0) == nil)
    _ = keeper.settled(at: at(0))
    #expect(finder.answer(request, tuned: nil, at: at(0)) == .absent(.unasked) && finder.station(0) == nil)
    try folder.fill([("One", "", "", true)])
    _ = keeper.settled(at: at(1))
    #expect(finder.station(0) == nil, "nothing was shown of it")
    _ = finder.answer(request, tuned: nil, at: at(1))
    #expect(finder.station(0)?.entry.name == "One")
    folder.folder.write([1], to: "directory")
    _ = keeper.settled(at: at(2))
    #expect(finder.answer(request, tuned: nil, at: at(2)) == .damaged && finder.station(0) == nil)
    #expect(finder.answer(nil, tuned: nil, at: at(2)) == nil && keeper.isOpen)
    _ = finder.answer(nil, tuned: nil, at: at(400))
    #expect(!keeper.isOpen, "nobody asked for minutes")
  }

  @Test("An address in the owner's network is neither stored nor tuned; one in capitals is both (G3)")
  func reach() throws {
    var stations = (0..<3).map { _ in SampleStation() }
    let urls = ["http://192.168.1.1/reboot", "http://s.example:22/", "http://s.example/live"]
    for place in 0..<3 {
      (stations[place].name, stations[place].url, stations[place].votes) = ("S", urls[place], 9 - place)
      stations[place].uuid = "960cf833-0601-11e8-ae97-52543be0400\(place)"
    }
    try folder.fill(stations)
    let keeper = DirectoryKeeper(folder)
    _ = keeper.settled(at: at(0))
    let finder = StationFinder(keeper, zone: "") { _ in nil }
    defer { finder.finish() }
    _ = Self.rows(finder, .popular)
    let presets = PresetController(["One"])
    for rank in 0..<3 {
      let found = try #require(finder.station(rank))
      let request = PresetCatalog.request(found.entry.url, Configuration().buffer, found.reach)
      #expect((request != nil) == (rank == 2) && request?.reach != .anywhere)
      let kept = { try PresetMenu.apply(.keepFound(rank), presets, found: finder.station) {} }
      if rank == 2 { _ = try kept() } else { #expect(throws: ControlRefusal.outsideReach) { try kept() } }
    }
    #expect(presets.catalog.entries[1].request.reach == .named(homes: [], port: nil))
    #expect(presets.catalog.entries[0].request.reach == .anywhere)
    #expect(PresetCatalog.request("HTTP://S.example/", Configuration().buffer) != nil)
  }

  @Test("A found station is stored with its id, once, under a free name (G3)")
  func keeps() throws {
    let finder = try finder()
    defer { finder.finish() }
    let presets = PresetController(["One", "Antenne"])
    _ = Self.rows(finder, .popular)
    let kept = { (rank: Int) in try PresetMenu.apply(.keepFound(rank), presets, found: finder.station) {} }
    #expect(try kept(0) == .preset(number: 3, name: "Kitchen FM"))
    #expect(try kept(1) == .preset(number: 4, name: "Antenne (2)"))
    #expect(try kept(99) == nil)
    #expect(throws: (any Error).self) { try kept(0) }
    let station = presets.catalog.entries[2].settings
    #expect(station.directoryID == "960cf833-0601-11e8-ae97-52543be04000")
    #expect(station.url == "http://s0.example/stream")
    #expect(presets.names == ["One", "Antenne", "Kitchen FM", "Antenne (2)"])
  }
}
