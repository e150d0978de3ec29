import Directory
import DirectorySupport
import Foundation
import Units

@testable import Control

enum SampleDirectory {
  static func station(
    _ name: String, _ country: String, _ code: String, _ tags: String, votes: Int, url: String? = nil,
    isAlive: Bool = true
  ) -> SampleStation {
    var station = SampleStation()
    (station.name, station.country, station.countryCode, station.tags) = (name, country, code, tags)
    station.url = url ?? "http://\(name.lowercased().filter { $0.isASCII && $0.isLetter }).example/live"
    (station.votes, station.isAlive) = (votes, isAlive)
    station.uuid = "00000000-0000-4000-8000-" + String(String(votes + 1_000_000_000_000).suffix(12))
    return station
  }

  static let few: [SampleStation] = [
    station("Kitchen FM", "Germany", "DE", "jazz,pop", votes: 900),
    station("Café Müller", "Germany", "DE", "jazz", votes: 800, url: "https://cafe.example/live?id=7"),
    station("Jazz Berlin", "Germany", "DE", "jazz,classic rock", votes: 700),
    station("Nachtradio", "Germany", "DE", "rock/pop,all", votes: 600),
    station("Paris Jazz", "France", "FR", "jazz", votes: 500),
    station("Радио Маяк", "The Russian Federation", "RU", "news", votes: 400),
    station("Berlin Talk", "Germany", "DE", "talk", votes: 300),
    station("Old Kitchen", "France", "FR", "", votes: 5_000, isAlive: false),
    station("Nowhere", "", "", "pop", votes: 100),
    station("jazz berlin", "France", "FR", "Jazz", votes: 50, url: "http://other.example/a/b"),
  ]

  static func make(_ stations: some Sequence<SampleStation>) throws -> StationDirectory {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bk-directory-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "directory").path
    let (reader, builder) = (DirectoryListReader(), try DirectoryBuilder(path: path))
    let add = { (entry: DirectoryEntry) throws(DirectoryError) in try builder.append(entry) }
    try reader.append(Array(SampleStation.csvHeader.utf8).span, each: add)
    for station in stations { try reader.append(Array(station.csv.utf8).span, each: add) }
    try reader.finish(each: add)
    _ = try builder.finish(date: 1_700_000_000, source: "test")
    return try StationDirectory(path: path)
  }

  /// A bench with a directory of these stations.
  static func bench(_ stations: some Sequence<SampleStation> = few) throws -> Bench {
    let (bench, directory) = (try Bench(), try make(stations))
    bench.context.browse { .open(directory) }
    return bench
  }
}
