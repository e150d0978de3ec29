import Directory
import DirectorySupport
import Testing

/// Lists of a directory, compared with lists computed slowly from all entries.
struct ListTests {
  /// A directory and its entries, created once for all tests.
  private struct Sample: Sendable {
    let directory: StationDirectory
    let entries: [DirectoryEntry]
    let names: [FoldedText]
    let words: [[Substring]]

    init() throws {
      let directory = try StationDirectory.made(SampleStations(900, seed: 9).compactMap { DirectoryEntry($0) })
      self.directory = directory
      entries = (0..<directory.count).map { directory[$0] }
      names = entries.map { FoldedText($0.name) }
      words = entries.map { entry in
        ([entry.name, entry.country, entry.state] + entry.tags + entry.languages).flatMap {
          FoldedText($0).description.split(separator: " ")
        }
      }
    }
  }

  private static let sample = Result { try Sample() }
  private let directory: StationDirectory
  private let entries: [DirectoryEntry]
  private let sample: Sample

  init() throws {
    sample = try Self.sample.get()
    (directory, entries) = (sample.directory, sample.entries)
  }

  @Test(
    "Words find their stations, and no others (G1)",
    arguments: ["r", "ra", "radio", "pop fm", "germ radio", "an 9", "маяк", "北京", "之声", "qqq"])
  func search(_ text: String) {
    let asked = FoldedText(text).description.split(separator: " ")
    let expected = entries.indices.filter { rank in
      asked.allSatisfy { word in
        sample.words[rank].contains {
          $0.utf8.starts(with: word.utf8) || word.utf8.count > 3 && word.utf8.first ?? 0 > 0xE2 && $0.contains(word)
        }
      }
    }
    let matches = directory.search(DirectoryQuery(text), limit: 1_500)
    #expect(matches.ranks == expected && matches.total == expected.count && !matches.isMisspelt)
  }

  @Test("Countries are sorted by name, with counts (G4)")
  func countries() {
    var counts: [String: Int] = [:]
    for entry in entries { counts[entry.countryCode, default: 0] += 1 }
    let listed = directory.countries
    #expect(Dictionary(uniqueKeysWithValues: listed.map { ($0.code, $0.count) }) == counts)
    let names = listed.map { FoldedText($0.name).description }
    #expect(names == names.sorted())
    for country in listed {
      for query in [DirectoryQuery(country: country.code), DirectoryQuery(country: country.name.uppercased())] {
        let matches = directory.search(query, limit: 1_500)
        #expect(matches.ranks == entries.indices.filter { entries[$0].countryCode == country.code }, "\(country)")
      }
    }
  }

  @Test("Tags of all or one country, and languages, are sorted by frequency (G4)", arguments: [nil, "US", "DE"])
  func tags(_ country: String?) {
    var counts: [FoldedText: Int] = [:]
    for entry in entries where country == nil || entry.countryCode == country {
      for tag in entry.tags { counts[FoldedText(tag), default: 0] += 1 }
    }
    let listed = directory.tags(country: country, limit: 10_000)
    #expect(Dictionary(uniqueKeysWithValues: listed.map { (FoldedText($0.name), $0.count) }) == counts)
    #expect(zip(listed, listed.dropFirst()).allSatisfy { $0.count >= $1.count })
    #expect(directory.tags(country: country, limit: 3) == Array(listed.prefix(3)))
    for tag in listed.prefix(20) {
      let matches = directory.search(DirectoryQuery(country: country, tag: tag.name), limit: 0)
      #expect(matches.total == tag.count && matches.ranks == [])
    }
    #expect(
      directory.languages(limit: 400).reduce(0) { $0 + $1.count } == entries.reduce(0) { $0 + $1.languages.count })
    #expect(directory.codecs(limit: 9).reduce(0) { $0 + $1.count } == entries.count { !$0.codec.isEmpty })
  }

  @Test(
    "Letters narrow down to names, in order (G3)",
    arguments: ["", "r", "Ra", "radio", "radio ", "hit radio", "р", "zzzz"])
  func letters(_ prefix: String) {
    let key = FoldedText(prefix).description + (prefix.hasSuffix(" ") ? " " : "")
    let folded = sample.names.map(\.description)
    let expected = entries.indices.filter { folded[$0].utf8.starts(with: key.utf8) && !folded[$0].isEmpty }
      .sorted {
        Array(folded[$0].utf8).lexicographicallyPrecedes(Array(folded[$1].utf8)) || folded[$0] == folded[$1] && $0 < $1
      }
    let matches = directory.names(beginning: prefix, limit: 1_500)
    #expect(matches.ranks == expected && matches.total == expected.count)
    #expect(directory.names(beginning: prefix, limit: 7, from: 3).ranks == Array(expected.dropFirst(3).prefix(7)))
    var counts: [(String, Int)] = []
    for rank in expected {
      guard let letter = folded[rank].unicodeScalars.dropFirst(key.unicodeScalars.count).first.map({ String($0) })
      else { continue }
      if counts.last?.0 == letter { counts[counts.count - 1].1 += 1 } else { counts.append((letter, 1)) }
    }
    let listed = directory.letters(after: prefix)
    #expect(listed.map(\.letter) == counts.map(\.0) && listed.map(\.count) == counts.map(\.1))
  }

  @Test("Many equal names cost letters no more time than few (G3)")
  func equalNames() throws {
    let count = 20_000
    let names = Array(repeating: "Kitchen Radio", count: count) + ["Kitchen Radio 2", "Kitchen Radios", "Kitchen"]
    let directory = try StationDirectory.made(
      names.enumerated().map { index, name in
        var station = SampleStation()
        (station.name, station.url) = (name, "http://a/\(index)")
        return try #require(DirectoryEntry(station))
      })
    let clock = ContinuousClock()
    var letters: [DirectoryLetter] = []
    func best(_ prefix: String) -> Duration {
      (0..<5).map { _ in clock.measure { letters = directory.letters(after: prefix) } }.min() ?? .zero
    }
    let before = best("kitchen radi")
    #expect(letters.map(\.letter) == ["o"] && letters.map(\.count) == [count + 2])
    let behind = best("kitchen radio")
    #expect(letters.map(\.letter) == [" ", "s"] && letters.map(\.count) == [1, 1])
    // A linear scan took hundreds of times as long.
    #expect(behind < before * 20, "\(behind) beside \(before)")
  }

  @Test("A station is found by its uuid (G5)")
  func uuids() throws {
    for rank in stride(from: 0, to: directory.count, by: 37) {
      #expect(directory.rank(of: try #require(entries[rank].uuid)) == rank)
    }
    #expect(directory.rank(of: try #require(StationUuid("00000000-0000-0000-0000-000000000001"))) == nil)
  }

  @Test("Stations are found by name and by address (G5)")
  func namesAndAddresses() {
    for rank in stride(from: 0, to: directory.count, by: 53) {
      let entry = entries[rank]
      let named = entries.indices.filter { sample.names[$0] == sample.names[rank] }
      #expect(directory.ranks(named: entry.name.uppercased()) == named)
      #expect(directory.ranks(at: entry.url) == entries.indices.filter { entries[$0].url == entry.url })
    }
    #expect(directory.ranks(named: "") == [] && directory.ranks(at: "http://none.example/") == [])
  }
}
