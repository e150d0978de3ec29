import SeededRandom
import Settings
import TestSupport
import Testing

@Suite("Station file")
struct StationFileTests {
  static let text = """
    # My stations

    # --- Mornings ---

    # quiet
    [[station]]
    name = "A"   # the first
    url = "http://a/"

    [[station]]
    url = "http://b/"
    name = "B"
    headers = [
      "X: y",  # odd
    ]
    # gain = 3

    # --- Evenings ---
    # loud
    # [[station]] was here once
    [[ station ]]  # third
    name = \"\"\"C\"\"\"
    url = 'http://c/'
    # the end

    """

  @Test("Unchanged parts stay, byte for byte")
  func untouched() throws {
    for text in [Self.text, "", "\n", "# x", "# x\n\n\n", station("a"), "\u{FEFF}" + station("a")] {
      var expected = Array(text.utf8)
      if let last = expected.last, last != 10 { expected.append(10) }
      #expect(try file(text).bytes == expected)
    }
  }

  @Test("A station goes to its place, and comments stay with their stations")
  func insert() throws {
    let new = "[[station]]\nname = \"N\"\nurl = \"http://n/\"\n\n"
    for (number, before) in [(1, "# quiet\n"), (2, "[[station]]\nurl"), (3, "# --- Evenings ---\n")] {
      var file = try file(Self.text)
      try file.insert([StationSettings(name: "N", url: "http://n/")], at: number)
      #expect(text(file) == Self.text.replacing(before, with: new + before, maxReplacements: 1))
    }
    for number in [4, nil] {
      var file = try file(Self.text)
      try file.insert([StationSettings(name: "N", url: "http://n/")], at: number)
      #expect(text(file) == Self.text + "\n" + new.dropLast())
    }
  }

  @Test("A removed station takes its own comments, and leaves its neighbours'")
  func remove() throws {
    var file = try file(Self.text)
    try file.remove(2)
    let own = "[[station]]\nurl = \"http://b/\"\nname = \"B\"\nheaders = [\n  \"X: y\",  # odd\n]\n# gain = 3\n\n"
    #expect(text(file) == Self.text.replacing(own, with: ""))
    try file.remove(2)
    try file.remove(1)
    #expect(text(file) == "# My stations\n\n# --- Mornings ---\n")
    #expect(file.count == 0)
  }

  @Test("Stations change places, and the gaps between stay")
  func move() throws {
    var file = try file(Self.text)
    try file.move(3, to: 1)
    #expect(file.list.entries.map(\.station.name) == ["C", "A", "B"])
    let order = [
      "# My stations", "# --- Mornings", "# --- Evenings", "# loud", "\"\"\"C\"\"\"", "# the end", "# quiet",
      "\"A\"", "\"B\"", "# gain = 3",
    ]
    let places = order.compactMap { text(file).firstRange(of: $0)?.lowerBound }
    #expect(places == places.sorted() && places.count == order.count)
    try file.move(1, to: 3)
    #expect(text(file) == Self.text)
  }

  @Test(
    "Random changes keep every comment, and act on the list like on an array", arguments: 0..<20 as Range<UInt64>)
  func random(_ seed: UInt64) throws {
    var random = SeededGenerator(seed)
    var file = try file(Self.text)
    var names = ["A", "B", "C"]
    for turn in 0..<60 {
      switch UInt8.random(in: 0..<3, using: &random) {
      case 0:
        let number = Int.random(in: 1...names.count + 1, using: &random)
        try file.insert([StationSettings(name: "n\(turn)", url: "http://n/")], at: number)
        names.insert("n\(turn)", at: number - 1)
      case 1 where names.contains { $0.hasPrefix("n") }:
        let added = names.indices.filter { names[$0].hasPrefix("n") }
        let index = added[Int.random(in: added.indices, using: &random)]
        try file.remove(index + 1)
        names.remove(at: index)
      default:
        let from = Int.random(in: 1...names.count, using: &random)
        let to = Int.random(in: 1...names.count, using: &random)
        try file.move(from, to: to)
        names.insert(names.remove(at: from - 1), at: to - 1)
      }
      #expect(file.list.entries.map(\.station.name) == names)
    }
    let comments = { (text: String) in text.split(separator: "\n").filter { $0.contains("#") }.sorted() }
    #expect(comments(text(file)) == comments(Self.text))
    #expect(!text(file).contains("\n\n\n"))
  }

  @Test("Windows line ends stay")
  func carriageReturns() throws {
    var file = try file(station("a").replacing("\n", with: "\r\n"))
    try file.insert([StationSettings(name: "b", url: "http://b/")])
    try file.move(2, to: 1)
    #expect(
      text(file) == ("[[station]]\nname = \"b\"\nurl = \"http://b/\"\n\n" + station("a")).replacing("\n", with: "\r\n"))
  }

  @Test("Unusable stations keep their places, and can be removed")
  func brokenStations() throws {
    var file = try file(station("a") + "gain = 99\n" + station("b") + station("b") + station("c"))
    #expect(file.count == 4)
    try file.move(4, to: 1)
    try file.remove(3)
    try file.remove(2)
    #expect(file.list.entries.map(\.station.name) == ["c", "b"])
    #expect(file.list.problems == [])
  }

  @Test("An impossible change is reported, and changes nothing")
  func refusals() throws {
    var file = try file(station("a") + station("2") + station("b"))
    let before = file.bytes
    let new = StationSettings(name: "b", url: "http://n/")
    expectSentence("there is no station 4; they are 1 to 3") { try file.remove(4) }
    expectSentence("there is no station 0") { try file.move(1, to: 0) }
    expectSentence("there is no place 5 for a station; its places are 1 to 4") { try file.insert([new], at: 5) }
    expectSentence("there is already a station \"b\"; choose another name") { try file.insert([new]) }
    let twins = [StationSettings(name: "n", url: "http://n/"), StationSettings(name: "n", url: "http://m/")]
    expectSentence("there is already a station \"n\"; choose another name") { try file.insert(twins) }
    expectSentence("url must be an http or https address") { try file.insert([StationSettings(name: "n", url: "x")]) }
    expectSentence("there is no station \"c\"; ") { _ = try file.number(of: "c") }
    expectSentence("station 1 is called") {
      _ = try self.file(station("3") + station("x") + station("y")).number(of: "3")
    }
    #expect(try file.number(of: "2") == 2)
    #expect(file.bytes == before)
    expectSentence("line 4, column") { _ = try self.file(station("a") + "x = \n") }
    for text in ["station = [{name = \"a\", url = \"http://a/\"}]", "station = 3", "[[\"station\"]]\nname = \"a\""] {
      expectSentence("a line [[station]]; rewrite it so") { _ = try self.file(text) }
    }
  }

  @Test("An empty file gets its first station, and a missing one is created only on request")
  func first() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/stations.toml"
    expectSentence("it cannot be read (No such file or directory)") {
      try StationFile.edit(path, isCreating: false) { file throws(SettingsError) in try file.remove(1) }
    }
    try StationFile.edit(path, isCreating: true) { file throws(SettingsError) in
      try file.insert([StationSettings(name: "a", url: "http://a.example/")])
    }
    #expect(
      String(decoding: folder.bytes(of: "stations.toml"), as: UTF8.self)
        == "# The radio's stations, in the order of the knob.\n\n" + station("a"))
    var empty = try file("")
    try empty.insert([
      StationSettings(name: "a", url: "http://a.example/"), StationSettings(name: "b", url: "http://a.example/"),
    ])
    #expect(text(empty) == station("a") + "\n" + station("b"))
  }

  private func file(_ text: String) throws(SettingsError) -> StationFile {
    try StationFile(Array(text.utf8), file: "test.toml")
  }

  private func text(_ file: StationFile) -> String { String(decoding: file.bytes, as: UTF8.self) }
}

/// Expects an error with these words.
func expectSentence(
  _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  let error = #expect(throws: SettingsError.self, sourceLocation: sourceLocation, performing: body)
  #expect(error?.description.contains(words) == true, "\(error as Any)", sourceLocation: sourceLocation)
}
