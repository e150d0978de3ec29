import Directory
import DirectorySupport
import Foundation
import Http
import System
import TestSupport
import Units

@testable import DirectoryClient

enum Server {
  /// A server with radio-browser's paths. `csv` and `xml` are its lists.
  static func paths(csv: [StationAction]? = nil, xml: [StationAction]? = nil) throws -> ScriptedStation {
    try ScriptedStation(paths: ["/csv/stations": csv, "/xml/stations": xml].compactMapValues { $0 })
  }

  /// A complete list.
  static func list(_ bytes: [UInt8], headers: [String] = []) -> [StationAction] {
    [.head("200 OK", ["Content-Type: text/csv", "Content-Length: \(bytes.count)"] + headers), .send(bytes)]
  }

  /// A local server that counts as one of the directory's own.
  static func own(_ url: String) throws -> DirectoryServer {
    DirectoryServer(try WebAddress(url), isMirror: false, isForeign: false)
  }
}

/// Updates a copy in its own folder.
final class UpdateRig {
  let folder = TemporaryFolder()
  private(set) var sentences: [String] = []
  private(set) var progress: DirectoryUpdate.Progress?
  var isEnded = false

  var path: String { folder.path + "/directory" }
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }
  var copy: [UInt8] { folder.bytes(of: "directory") }

  /// Creates a copy with this number of stations.
  func make(_ count: Int) throws {
    let builder = try DirectoryBuilder(path: path)
    let reader = DirectoryListReader()
    let list = SampleStations.csv(count, seed: 9)
    try reader.append(list.span) { entry throws(DirectoryError) in try builder.append(entry) }
    try reader.finish { entry throws(DirectoryError) in try builder.append(entry) }
    _ = try builder.finish(date: 1_700_000_000, source: "test")
  }

  /// Runs the update, and records failures in `sentences`.
  func update(_ servers: [DirectoryServer], clock: Clock = .machine) throws -> DirectoryUpdate.Result {
    let update = try DirectoryUpdate(path: path, agent: "Bakelite/test", clock: clock) { [unowned self] in isEnded }
    update.onFailure = { [unowned self] in sentences.append($0) }
    update.onProgress = { [unowned self] in progress = $0 }
    return try update.run { servers }
  }
}
