import Directory
import TestSupport
import Testing
import Units

@testable import Box

@Suite struct DirectorySourceTests {
  private static let id = "960cf833-0601-11e8-ae97-52543be04c81"

  private static func row(_ id: String, _ name: String, _ url: String, _ homepage: String) -> DirectoryEntry? {
    var row = DirectoryRow()
    (row[.uuid], row[.name], row[.url], row[.homepage]) = (id, name, url, homepage)
    (row[.votes], row[.isAlive]) = ("7", "1")
    return DirectoryEntry(row)
  }

  @Test("A preset is found by id, address, homepage and name (G5)")
  func finds() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/directory"
    let builder = try DirectoryBuilder(path: path)
    let other = Self.id.replacing("960", with: "111")
    for entry in [
      Self.row(Self.id, "Kitchen FM", "http://zeno.fm/kitchen", "https://www.kitchen.example/"),
      Self.row(other, "KITCHEN-FM", "http://zeno.fm/2", "https://kitchen.example/en"),
      Self.row(Self.id.replacing("960", with: "222"), "Living Room", "http://zeno.fm/3", "https://room.example/"),
      Self.row(Self.id.replacing("960", with: "333"), "Attic", "http://zeno.fm/4", "https://attic.example/"),
      Self.row(Self.id.replacing("960", with: "444"), "Den", "http://zeno.fm/4", "https://den.example/"),
      Self.row(Self.id.replacing("960", with: "555"), "Cellar", "http://stream.room.example/", "https://room.example/"),
      Self.row(Self.id.replacing("960", with: "666"), "Den", "http://stream.room.example/", "https://den.example/"),
    ] {
      try builder.append(try #require(entry))
    }
    _ = try builder.finish(date: 1_800_000_000, source: "test")
    let directory = try StationDirectory(path: path)
    let source = DirectorySource { .open(directory) }
    #expect(source.fetched == 1_800_000_000)
    let found = try #require(source.entry(id: Self.id, url: "http://x/", name: ""))
    #expect(found.id == Self.id && found.url == "http://zeno.fm/kitchen" && found.votes == 7 && found.isAlive)
    #expect(source.entry(id: nil, url: "http://zeno.fm/2", name: "kitchen fm")?.id == other)
    #expect(source.entry(id: nil, url: "http://nowhere/", name: "kitchen fm") == nil)
    var subject = RelocationSubject(
      name: "Kitchen FM", foldedName: source.folded("Kitchen FM"), url: "http://stream.kitchen.example/", id: Self.id)
    let candidates = Relocation.candidates(source.entries(for: subject), for: subject)
    #expect(candidates.map(\.id) == [Self.id, other] && subject.isProven(candidates[0]))
    subject.id = nil
    #expect(Set(Relocation.candidates(source.entries(for: subject), for: subject).map(\.id)) == [Self.id, other])
    // By address, an entry of the address's domain comes first, then an entry with the name, then any entry.
    #expect(source.entry(id: nil, url: "http://stream.room.example/", name: "Den")?.homepage == "https://room.example/")
    #expect(source.entry(id: nil, url: "http://zeno.fm/4", name: "DEN")?.name == "Den")
    #expect(source.entry(id: nil, url: "http://zeno.fm/4", name: "Hall")?.name == "Attic")
    let opening = DirectorySource { .opening }
    #expect(DirectorySource { .absent }.entries(for: subject) == [] && opening.fetched == nil && opening.isOpening)
  }
}
