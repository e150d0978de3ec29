import Directory
import DirectorySupport
import Foundation
import SeededRandom
import Testing

@testable import struct Directory.Checksum

struct FileTests {
  static func file(_ count: Int) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let builder = try DirectoryBuilder(path: folder.path)
    for station in SampleStations(count) { try builder.append(#require(DirectoryEntry(station))) }
    _ = try builder.finish(date: 1, source: "x")
    return try Array(Data(contentsOf: URL(filePath: folder.path)))
  }

  private func error(_ bytes: [UInt8]) throws -> DirectoryError? {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: URL(filePath: folder.path))
    do throws(DirectoryError) { _ = try StationDirectory(path: folder.path) } catch { return error }
    return nil
  }

  @Test("A missing, foreign or other version's file is reported (G2)")
  func wrongFiles() throws {
    #expect(throws: DirectoryError.absent) { try StationDirectory(path: "/nonexistent/directory") }
    #expect(throws: DirectoryError.foreign) { try StationDirectory(path: "/tmp") }
    #expect(throws: DirectoryError.foreign) { try StationDirectory(path: "/dev/null") }
    #expect(try error([]) == .foreign)
    #expect(try error(Array("#EXTM3U\n".utf8)) == .foreign)
    var file = try Self.file(5)
    file[8] = 2
    #expect(try error(file) == .otherVersion(2))
  }

  @Test("A file with any changed byte is damaged (G2)")
  func flippedBits() throws {
    let file = try Self.file(4)
    let step = 7
    for place in stride(from: 12, to: file.count, by: step) + [16, 24, 40] {
      // Four bytes of the header are unused.
      guard !(12..<16).contains(place) else { continue }
      var bytes = file
      bytes[place] ^= 1 << UInt8(place % 8)
      #expect(throws: DirectoryError.damaged, "\(place)") {
        try bytes.withUnsafeBytes { try StationDirectory(bytes: $0) }
      }
    }
  }

  @Test("A truncated file is damaged or foreign (G2)")
  func cut() throws {
    let file = try Self.file(4)
    for count in stride(from: 0, to: file.count, by: 11) {
      let expected: DirectoryError = count < 8 ? .foreign : count < 12 ? .otherVersion(0) : .damaged
      #expect(try error(Array(file[..<count])) == expected, "\(count)")
    }
    #expect(try error(file + [0]) == .damaged)
  }

  @Test("Any content with a valid checksum answers every query (G2)")
  func liars() throws {
    let file = try Self.file(60)
    var random = SeededGenerator(3)
    var opened = 0
    for _ in 0..<1_500 {
      var bytes = file
      for _ in 0...Int(random.next() % 8) {
        let inHeader = random.next() % 4 == 0
        let place = 40 + Int(random.next() % UInt64(inHeader ? 112 : bytes.count - 40))
        bytes[place] = UInt8(truncatingIfNeeded: random.next())
      }
      bytes.mend()
      guard let directory = try? bytes.withUnsafeBytes({ try StationDirectory(bytes: $0) }) else { continue }
      opened += 1
      directory.askEverything()
    }
    #expect(opened > 200)
  }
}

extension [UInt8] {
  /// Corrects the checksum.
  mutating func mend() {
    let sum = self[24...].withUnsafeBytes { Checksum.of($0) }
    for index in 0..<8 { self[16 + index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index)) }
  }
}

extension StationDirectory {
  /// Sends every kind of query.
  fileprivate func askEverything() {
    for rank in [-1, 0, 7, count - 1, count, .max] { _ = (self[rank], name(of: rank)) }
    for query in [
      DirectoryQuery("radio"), DirectoryQuery("a b"), DirectoryQuery("rabio kolm"),
      DirectoryQuery(country: "DE", tag: "pop", codec: "mp3"),
    ] {
      let matches = search(query, limit: 10)
      #expect(matches.ranks.count <= 10 && matches.ranks.allSatisfy { (0..<count).contains($0) })
    }
    _ = (countries, tags(limit: 10), tags(country: "US", limit: 10), languages(limit: 10), codecs(limit: 10))
    _ = (letters(after: ""), letters(after: "r"), names(beginning: "r", limit: 5))
    _ = (ranks(named: "Radio"), ranks(at: "http://a.de/"), source, date)
    if let uuid = StationUuid("960e57c5-0601-11e8-ae97-52543be04c81") { _ = rank(of: uuid) }
  }
}
