import Directory
import DirectorySupport
import Foundation

/// A folder removed on deinit.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "directory-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of the directory file.
  var path: String { url.appending(path: "directory").path }

  /// The sorted names of the folder's files.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}

extension DirectoryEntry {
  /// The entry of a sample station.
  init?(_ station: SampleStation) {
    var row = DirectoryRow()
    for (name, text) in station.fields {
      if let column = DirectoryColumn(rawValue: name) { row[column] = text }
    }
    self.init(row)
  }

  static func made(
    _ name: String, votes: Int = 0, tags: String = "", country: String = "", code: String = "", language: String = "",
    isAlive: Bool = true
  ) throws -> DirectoryEntry {
    var station = SampleStation()
    (station.name, station.votes, station.tags, station.language) = (name, votes, tags, language)
    (station.country, station.countryCode, station.isAlive) = (country, code, isAlive)
    station.url = "http://example.com/" + FoldedText(name).description.replacing(" ", with: "-")
    guard let entry = DirectoryEntry(station) else { throw CocoaError(.formatting) }
    return entry
  }
}

extension StationDirectory {
  /// A directory of entries. The temporary folder is removed at once.
  static func made(_ entries: [DirectoryEntry], date: Int64 = 1, source: String = "test") throws -> StationDirectory {
    let folder = try TemporaryFolder()
    let builder = try DirectoryBuilder(path: folder.path)
    for entry in entries { try builder.append(entry) }
    _ = try builder.finish(date: date, source: source)
    return try StationDirectory(path: folder.path)
  }

  /// The names of the stations found.
  func found(_ query: DirectoryQuery) -> [String] { search(query, limit: 100).ranks.map { name(of: $0) } }
}
