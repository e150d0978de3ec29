import Directory
import DirectorySupport
import Foundation
import Testing

struct BuilderTests {
  @Test("A directory returns every station unchanged (G2)")
  func roundTrip() throws {
    let entries = SampleStations(3_000).compactMap { DirectoryEntry($0) }
    let directory = try StationDirectory.made(entries, date: 1_234_567_890_123, source: "a.example, CSV")
    #expect(directory.count == entries.count && directory.aliveCount == entries.count { $0.isAlive })
    #expect(directory.date == 1_234_567_890_123 && directory.source == "a.example, CSV")
    let byUuid = Dictionary(entries.map { ($0.uuid, $0) }) { first, _ in first }
    for rank in 0..<directory.count {
      let entry = directory[rank]
      let original = try #require(byUuid[entry.uuid])
      // If a word has several spellings, the best station's spelling counts.
      #expect(entry.tags.map { FoldedText($0) } == original.tags.map { FoldedText($0) })
      #expect(
        (entry.name, entry.url, entry.homepage, entry.state) == (
          original.name, original.url, original.homepage, original.state
        ))
      #expect(
        (entry.countryCode, entry.languages, entry.codec) == (original.countryCode, original.languages, original.codec))
      #expect(
        (entry.bitRate, entry.votes, entry.isAlive, entry.isHls) == (
          original.bitRate, original.votes, original.isAlive, original.isHls
        ))
      #expect(directory.name(of: rank) == entry.name)
    }
  }

  @Test("Stations are sorted alive before dead, then by votes, then by name (G1)")
  func order() throws {
    let entries = SampleStations(2_000, seed: 5).compactMap { DirectoryEntry($0) }
    let directory = try StationDirectory.made(entries)
    let keys = (0..<directory.count).map { rank in
      let entry = directory[rank]
      return (entry.isAlive ? 0 : 1, -entry.votes, Array(FoldedText(entry.name).description.utf8))
    }
    for (first, second) in zip(keys, keys.dropFirst()) {
      let isOrdered =
        (first.0, first.1) < (second.0, second.1)
        || (first.0, first.1) == (second.0, second.1) && !second.2.lexicographicallyPrecedes(first.2)
      #expect(isOrdered)
    }
  }

  @Test("Among entries with one uuid the first wins (G2)")
  func duplicates() throws {
    let folder = try TemporaryFolder()
    var stations = Array(SampleStations(10))
    stations[4].uuid = stations[2].uuid
    stations[6].uuid = ""
    stations[7] = stations[6]
    let builder = try DirectoryBuilder(path: folder.path)
    for station in stations { try builder.append(#require(DirectoryEntry(station))) }
    let summary = try builder.finish(date: 0, source: "")
    #expect(summary.count == 8 && summary.duplicateCount == 2 && builder.count == 8)
    let directory = try StationDirectory(path: folder.path)
    let rank = try #require(StationUuid(stations[2].uuid).flatMap { directory.rank(of: $0) })
    #expect(directory[rank].name == DirectoryEntry(stations[2])?.name)
    #expect(summary.byteCount == directory.byteCount)
  }

  @Test("The same entries give the same bytes (G2)")
  func reproducible() throws {
    let files = try (0..<2).map { _ in
      let folder = try TemporaryFolder()
      let builder = try DirectoryBuilder(path: folder.path)
      for station in SampleStations(500) { try builder.append(#require(DirectoryEntry(station))) }
      _ = try builder.finish(date: 1, source: "x")
      return try Data(contentsOf: URL(filePath: folder.path))
    }
    #expect(files[0] == files[1])
  }

  @Test("The old directory stays until the new one is complete (G2)")
  func oldStays() throws {
    let folder = try TemporaryFolder()
    func build(_ count: Int, isFinished: Bool) throws {
      let builder = try DirectoryBuilder(path: folder.path)
      for station in SampleStations(count) { try builder.append(#require(DirectoryEntry(station))) }
      #expect(folder.names.contains(".directory.new"))
      if isFinished { _ = try builder.finish(date: 1, source: "") }
    }
    try build(5, isFinished: true)
    #expect(folder.names == ["directory"])
    let old = try StationDirectory(path: folder.path)
    try build(9, isFinished: false)
    #expect(folder.names == ["directory"])
    #expect(try StationDirectory(path: folder.path).count == 5)
    #expect(throws: DirectoryError.empty) { try DirectoryBuilder(path: folder.path).finish(date: 1, source: "") }
    #expect(try StationDirectory(path: folder.path).count == 5)
    try build(9, isFinished: true)
    #expect(old.count == 5 && old[4].name.isEmpty == false)
    #expect(try StationDirectory(path: folder.path).count == 9)
  }

  @Test("A crash's remains are reused, and only one program builds (G2)")
  func leftovers() throws {
    let folder = try TemporaryFolder()
    let left = folder.url.appending(path: ".directory.new")
    try Data(repeating: 7, count: 100_000).write(to: left)
    let first = try DirectoryBuilder(path: folder.path)
    #expect(throws: DirectoryError.busy) { try DirectoryBuilder(path: folder.path) }
    for station in SampleStations(3) { try first.append(#require(DirectoryEntry(station))) }
    _ = try first.finish(date: 1, source: "")
    #expect(folder.names == ["directory"])
    #expect(try StationDirectory(path: folder.path).count == 3)
    // A symbolic link at this path is not followed.
    try FileManager.default.createSymbolicLink(at: left, withDestinationURL: folder.url.appending(path: "victim"))
    let second = try DirectoryBuilder(path: folder.path)
    try second.append(.made("A"))
    _ = try second.finish(date: 1, source: "")
    #expect(folder.names == ["directory"])
    #expect(try StationDirectory(path: folder.path).count == 1)
  }

  @Test("A directory behind a symbolic link is replaced at its real place (G2)")
  func links() throws {
    let folder = try TemporaryFolder()
    let place = try TemporaryFolder()
    try Data().write(to: URL(filePath: place.path))
    try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: place.path)
    let builder = try DirectoryBuilder(path: folder.path)
    try builder.append(.made("A"))
    _ = try builder.finish(date: 1, source: "")
    #expect((try FileManager.default.destinationOfSymbolicLink(atPath: folder.path)) == place.path)
    #expect(try StationDirectory(path: place.path).count == 1)
  }

  @Test("A missing folder is reported (G2)")
  func noFolder() {
    #expect(throws: DirectoryError.unwritable(ENOENT, at: "/nonexistent/a/directory")) {
      try DirectoryBuilder(path: "/nonexistent/a/directory")
    }
  }
}
