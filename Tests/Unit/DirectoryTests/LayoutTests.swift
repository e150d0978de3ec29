import Directory
import Foundation
import TestSupport
import Testing

/// Reads a file that an earlier version wrote. A changed layout needs a new version number, and a new file here.
struct LayoutTests {
  private static let file = Repository.root + "/Tests/Support/Fixtures/directory-1.bin"

  @Test("A file of layout 1 from an earlier version is read whole (G2)")
  func reads() throws {
    let directory = try StationDirectory(path: Self.file)
    #expect(
      directory.found(DirectoryQuery())
        == ["Radio Köln", "Русское Радио", "Jazzy Côte d'Azur", "Jazz Radio Berlin", "Smooth Jazz"])
    #expect(directory.found(DirectoryQuery("jaz berlln")) == ["Jazz Radio Berlin"])
    #expect(directory.found(DirectoryQuery(language: "German")) == ["Radio Köln", "Jazz Radio Berlin"])
    let station = directory[0]
    #expect(station.url == "http://example.com/radio-koln" && station.country == "Germany" && station.votes == 90)
  }

  @Test("The layout of a written file is unchanged (G2)")
  func writes() throws {
    let folder = try TemporaryFolder()
    let builder = try DirectoryBuilder(path: folder.path)
    for entry in try Self.entries { try builder.append(entry) }
    _ = try builder.finish(date: 1, source: "test")
    #expect(try Data(contentsOf: URL(filePath: folder.path)) == Data(contentsOf: URL(filePath: Self.file)))
  }

  private static var entries: [DirectoryEntry] {
    get throws {
      try [
        .made("Jazz Radio Berlin", votes: 50, tags: "jazz,swing", country: "Germany", code: "DE", language: "german"),
        .made("Radio Köln", votes: 90, tags: "pop", country: "Germany", code: "DE", language: "german"),
        .made(
          "Smooth Jazz", votes: 900, tags: "jazz", country: "France", code: "FR", language: "french", isAlive: false),
        .made("Русское Радио", votes: 70, tags: "pop", country: "Russia", code: "RU", language: "russian"),
        .made("Jazzy Côte d'Azur", votes: 60, tags: "lounge", country: "France", code: "FR", language: "french"),
      ]
    }
  }
}
