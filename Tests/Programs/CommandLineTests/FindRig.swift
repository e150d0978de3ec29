import Directory
import DirectorySupport
import Foundation
import TestSupport

/// A directory server and a folder with settings and a copy of the directory.
final class FindRig {
  static let uuid = "960e57c5-0601-11e8-ae97-52543be04c81"

  let folder = TemporaryFolder()
  let server: ScriptedStation

  var path: String { folder.path + "/directory" }
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0 != "cache" }.sorted()
  }

  init(_ script: @escaping @Sendable (ScriptedStation.Request) -> [StationAction]) throws {
    server = try ScriptedStation(script)
    try settings("")
  }

  convenience init(_ list: [UInt8]) throws {
    let answer = try StationAction.gzipped(list, type: "text/csv")
    try self.init { $0.path.hasPrefix("/csv/stations") ? answer : StationAction.response("404 Not Found") }
  }

  deinit { server.close() }

  /// Writes settings; `lines` belong to `[directory]`.
  func settings(_ lines: String, path: String? = nil) throws {
    let text = "[directory]\npath = \"\(path ?? self.path)\"\n\(lines)\n[state]\npath = \"\(folder.path)\"\n"
    folder.write(Array(text.utf8), to: "bakelite.toml")
  }

  /// Writes a copy of the directory with `count` sample stations and a date in seconds since 1970.
  func make(_ count: Int = 50, date: Int64) throws {
    let builder = try DirectoryBuilder(path: path)
    let reader = DirectoryListReader()
    let list = SampleStations.csv(count)
    try reader.append(list.span) { entry throws(DirectoryError) in try builder.append(entry) }
    try reader.finish { entry throws(DirectoryError) in try builder.append(entry) }
    _ = try builder.finish(date: date, source: "test")
  }

  func begin(_ arguments: [String]) throws -> Program {
    try Program(
      ["find"] + arguments + ["--config", folder.path + "/bakelite.toml"],
      environment: ["XDG_CACHE_HOME": folder.path + "/cache"])
  }

  func begin(_ arguments: String...) throws -> Program { try begin(arguments) }

  func find(_ arguments: String..., within seconds: Double = 20) throws -> Program.Outcome {
    try begin(arguments).waitForEnd(within: seconds)
  }

  func update(within seconds: Double = 20) throws -> Program.Outcome {
    try begin("--update", "--mirror", server.url("/")).waitForEnd(within: seconds)
  }
}

enum Server {
  static func list(_ bytes: [UInt8]) -> [StationAction] {
    [.head("200 OK", ["Content-Type: text/csv", "Content-Length: \(bytes.count)"]), .send(bytes)]
  }
}
