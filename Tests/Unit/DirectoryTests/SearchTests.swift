import Directory
import DirectorySupport
import Testing

struct SearchTests {
  private static func directory() throws -> StationDirectory {
    try StationDirectory.made([
      .made("Jazz Radio Berlin", votes: 50, tags: "jazz,swing", country: "Germany", code: "DE", language: "german"),
      .made("Radio Köln", votes: 90, tags: "pop", country: "Germany", code: "DE", language: "german"),
      .made("Smooth Jazz", votes: 900, tags: "jazz", country: "France", code: "FR", language: "french", isAlive: false),
      .made("Русское Радио", votes: 70, tags: "pop", country: "Russia", code: "RU", language: "russian"),
      .made("Jazzy Côte d'Azur", votes: 60, tags: "lounge", country: "France", code: "FR", language: "french"),
    ])
  }

  @Test(
    "Word prefixes in any order find the best-voted first and dead ones last (G1)",
    arguments: [
      ("jazz", ["Jazzy Côte d'Azur", "Jazz Radio Berlin", "Smooth Jazz"]),
      ("BER jazz", ["Jazz Radio Berlin"]),
      ("koln", ["Radio Köln"]), ("KÖLN", ["Radio Köln"]), ("russkoe", ["Русское Радио"]), ("РУССКО", ["Русское Радио"]),
      ("germ", ["Radio Köln", "Jazz Radio Berlin"]), ("swing", ["Jazz Radio Berlin"]),
      ("french jazz cote", ["Jazzy Côte d'Azur"]),
      ("azz", []), ("", ["Radio Köln", "Русское Радио", "Jazzy Côte d'Azur", "Jazz Radio Berlin", "Smooth Jazz"]),
    ] as [(String, [String])])
  func words(_ words: String, _ names: [String]) throws {
    let directory = try Self.directory()
    #expect(directory.found(DirectoryQuery(words)) == names)
    #expect(directory.search(DirectoryQuery(words), limit: 100).isMisspelt == false)
  }

  @Test(
    "Without a match, one letter may be wrong (G1)",
    arguments: [
      ("jaz berlln", ["Jazz Radio Berlin"]), ("berrlin", ["Jazz Radio Berlin"]), ("brlin", ["Jazz Radio Berlin"]),
      ("ebrlin", ["Jazz Radio Berlin"]), ("berl1n jazz", ["Jazz Radio Berlin"]), ("xln", []), ("brrlln", []),
    ] as [(String, [String])])
  func misspelt(_ words: String, _ names: [String]) throws {
    let directory = try Self.directory()
    #expect(directory.found(DirectoryQuery(words)) == names)
    #expect(directory.search(DirectoryQuery(words), limit: 100).isMisspelt == !names.isEmpty)
  }

  @Test("Country, language, tag and codec narrow a search, and dead stations can be excluded (G1)")
  func filters() throws {
    let directory = try Self.directory()
    #expect(directory.found(DirectoryQuery(country: "fr")) == ["Jazzy Côte d'Azur", "Smooth Jazz"])
    #expect(directory.found(DirectoryQuery("jazz", country: "FRANCE", isAliveOnly: true)) == ["Jazzy Côte d'Azur"])
    #expect(directory.found(DirectoryQuery(language: "German")) == ["Radio Köln", "Jazz Radio Berlin"])
    #expect(directory.found(DirectoryQuery(tag: "Jazz")) == ["Jazz Radio Berlin", "Smooth Jazz"])
    #expect(directory.found(DirectoryQuery(codec: "mp3")).count == 5)
    #expect(directory.found(DirectoryQuery(country: "Atlantis")) == [])
  }

  @Test("A page of results is the same part of the whole (G1)")
  func pages() throws {
    let directory = try StationDirectory.made(SampleStations(500).compactMap { DirectoryEntry($0) })
    let all = directory.search(DirectoryQuery("r"), limit: 500)
    #expect(all.ranks.count == all.total && all.total > 50)
    for from in [0, 1, 17, all.total - 1, all.total] {
      let page = directory.search(DirectoryQuery("r"), limit: 10, from: from)
      #expect(page.ranks == Array(all.ranks.dropFirst(from).prefix(10)) && page.total == all.total)
    }
  }
}
