import Directory
import DirectorySupport
import Foundation
import Testing

/// Names and addresses of real stations.
struct RealStationTests {
  private static let folder = (ProcessInfo.processInfo.environment["BAKELITE_SHARED"] ?? "../shared") + "/corpora/"
  private static let list = folder + "playlists/radio-browser-gigoro33/radio_browser.m3u"
  private static let base = folder + "stations/webradiodb.min.json"
  static let isHere = FileManager.default.fileExists(atPath: list) && FileManager.default.fileExists(atPath: base)

  /// Stations of both corpora, numbered by their uuids.
  private static func stations() throws -> [SampleStation] {
    var stations: [SampleStation] = []
    func add(_ station: SampleStation) {
      var station = station
      let number = String(stations.count + 1)
      station.uuid = "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - number.count) + number
      station.votes = stations.count % 97
      stations.append(station)
    }
    let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
    for (head, address) in zip(lines, lines.dropFirst()) {
      guard head.hasPrefix("#EXTINF"), let match = head.firstMatch(of: /tvg-logo="([^"]*)",(.*)/) else { continue }
      var station = SampleStation()
      (station.name, station.url) = (String(match.2), String(address))
      // The list has logos instead of homepages.
      station.homepage = String(match.1.prefix { $0 != "?" }.split(separator: "/").prefix(2).joined(separator: "//"))
      (station.countryCode, station.tags, station.language) = ("MX", "talk,news,regional mexican", "spanish")
      add(station)
    }
    let data = try Data(contentsOf: URL(filePath: base))
    let known = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
    for (_, fields) in known.sorted(by: { $0.key < $1.key }) {
      var station = SampleStation()
      func text(_ key: String) -> String { fields[key] as? String ?? "" }
      (station.name, station.url, station.homepage) = (text("Name"), text("StreamUri"), text("Homepage"))
      (station.country, station.state, station.codec) = (text("Country"), text("Region"), text("Codec"))
      station.tags = (fields["Genre"] as? [String] ?? []).joined(separator: ",")
      station.language = (fields["Languages"] as? [String] ?? []).joined(separator: ",")
      station.bitRate = fields["Bitrate"] as? Int ?? 0
      add(station)
    }
    return stations
  }

  @Test(
    "Real stations return unchanged, and are found by name (G1)", .enabled(if: isHere, "no corpora here"))
  func found() throws {
    let stations = try Self.stations()
    let reader = DirectoryListReader()
    var entries: [DirectoryEntry] = []
    let list = Array(SampleStation.csvHeader.utf8) + stations.flatMap { $0.csv.utf8 }
    try reader.append(list.span) { entries.append($0) }
    try reader.finish { entries.append($0) }
    #expect(reader.count + reader.passedOver == stations.count && reader.passedOver < stations.count / 50)
    let directory = try StationDirectory.made(entries)
    for entry in entries {
      let uuid = try #require(entry.uuid)
      let rank = try #require(directory.rank(of: uuid))
      let kept = directory[rank]
      #expect((kept.name, kept.url, kept.homepage, kept.state) == (entry.name, entry.url, entry.homepage, entry.state))
      let matches = directory.search(DirectoryQuery(entry.name), limit: entries.count)
      #expect(matches.ranks.contains(rank) || FoldedText(entry.name).description.split(separator: " ").count > 16)
    }
    // 40,000 stations like these use less than 8 MB, although they share few words.
    #expect(directory.byteCount < 200 * directory.count)
  }
}
