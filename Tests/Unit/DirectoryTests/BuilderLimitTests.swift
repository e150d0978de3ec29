@testable import Directory
import DirectorySupport
import Foundation
import Testing

struct BuilderLimitTests {
  /// A station with 27 unique words of 48 bytes.
  private func wordy(_ number: Int) throws -> DirectoryEntry {
    func word(_ index: Int) -> String {
      let text = "n\(number)w\(index)"
      return text + String(repeating: "x", count: 48 - text.utf8.count)
    }
    var row = DirectoryRow()
    (row[.name], row[.url]) = (word(0) + " " + word(1) + " " + word(2), "http://a/\(number)")
    row[.votes] = "\(1_000 - number)"
    row[.tags] = (3..<19).map(word).joined(separator: ",")
    row[.language] = (19..<27).map(word).joined(separator: ",")
    return try #require(DirectoryEntry(row))
  }

  @Test("Entries beyond the spool's limit end the build, and leave nothing (G2)")
  func spool() throws {
    let folder = try TemporaryFolder()
    var limits = BuilderLimits()
    limits.spool = 100_000
    do {
      let builder = try DirectoryBuilder(path: folder.path, limits: limits)
      #expect(throws: DirectoryError.tooLarge) { for number in 0..<1_000 { try builder.append(wordy(number)) } }
      #expect(builder.count > 40 && builder.count < 100)
      #expect(throws: DirectoryError.tooLarge) { try builder.finish(date: 1, source: "") }
    }
    #expect(folder.names == [])
  }

  @Test("A file that grows too long is given up while written (G2)")
  func file() throws {
    let folder = try TemporaryFolder()
    var limits = BuilderLimits()
    limits.file = 40_000
    do {
      let builder = try DirectoryBuilder(path: folder.path, limits: limits)
      for number in 0..<200 { try builder.append(wordy(number)) }
      #expect(throws: DirectoryError.tooLarge) { try builder.finish(date: 1, source: "") }
      let left = folder.url.appending(path: ".directory.new").path
      let size = try #require(FileManager.default.attributesOfItem(atPath: left)[.size] as? Int)
      #expect(size <= limits.file)
    }
    #expect(folder.names == [])
  }

  @Test("Terms and postings beyond their limits are dropped, from the last stations (G2)")
  func terms() throws {
    let folder = try TemporaryFolder()
    var limits = BuilderLimits()
    limits.terms = 20_000
    let builder = try DirectoryBuilder(path: folder.path, limits: limits)
    for number in 0..<200 { try builder.append(wordy(number)) }
    _ = try builder.finish(date: 1, source: "")
    let directory = try StationDirectory(path: folder.path)
    #expect(directory.count == 200 && directory.search(DirectoryQuery("n0w2"), limit: 5).ranks == [0])
    #expect(!directory.search(DirectoryQuery("n199w2"), limit: 5).ranks.contains(199))
    #expect(directory.names(beginning: "n199", limit: 5).ranks == [199])
    let size = FileLayout.TermKind.allCases.reduce(0) { sum, kind in
      (0..<directory.file.termCount(kind)).reduce(sum) { $0 + directory.file.text(kind, $1).count + 1 }
    }
    #expect((15_000...20_100).contains(size))
    (limits.terms, limits.postings) = (.max, 1_000)
    let second = try DirectoryBuilder(path: folder.path, limits: limits)
    for number in 0..<200 { try second.append(wordy(number)) }
    _ = try second.finish(date: 1, source: "")
    let fewer = try StationDirectory(path: folder.path)
    let postings = FileLayout.TermKind.allCases.reduce(0) { sum, kind in
      (0..<fewer.file.termCount(kind)).reduce(sum) { $0 + fewer.file.stationCount(kind, $1) }
    }
    #expect((900...1_000).contains(postings))
  }

  @Test("An endless list ends as too large (G2)")
  func list() {
    let reader = DirectoryListReader(longest: 10_000)
    let list = SampleStations.csv(100)
    #expect(throws: DirectoryError.tooLarge) {
      for start in stride(from: 0, to: list.count, by: 100) {
        try reader.append(list.span.extracting(start..<min(list.count, start + 100))) { _ in }
      }
    }
    #expect(reader.count > 10 && reader.count < 60)
  }
}
