import Directory
import DirectorySupport
import Foundation
import TestSupport
import Testing

@Suite struct FindRealTests {
  private static let folder = (ProcessInfo.processInfo.environment["BAKELITE_SHARED"] ?? "../shared") + "/corpora/"
  private static let list = folder + "playlists/radio-browser-gigoro33/radio_browser.m3u"
  private static let base = folder + "stations/webradiodb.min.json"
  static let isHere = FileManager.default.fileExists(atPath: list) && FileManager.default.fileExists(atPath: base)

  private static func stations() throws -> [SampleStation] {
    var stations: [SampleStation] = []
    func add(_ name: String, _ url: String, tags: [String] = []) {
      var station = SampleStation()
      let number = String(stations.count + 1)
      station.uuid = "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - number.count) + number
      (station.name, station.url, station.tags) = (name, url, tags.joined(separator: ","))
      stations.append(station)
    }
    let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
    for (head, address) in zip(lines, lines.dropFirst()) {
      guard let match = head.firstMatch(of: /^#EXTINF[^,]*,(.*)/) else { continue }
      add(String(match.1), String(address))
    }
    let data = try Data(contentsOf: URL(filePath: base))
    let known = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
    for (_, fields) in known.sorted(by: { $0.key < $1.key }) {
      let (name, url) = (fields["Name"] as? String ?? "", fields["StreamUri"] as? String ?? "")
      add(name, url, tags: fields["Genre"] as? [String] ?? [])
    }
    return stations
  }

  @Test(
    "Real stations are fetched from a server, and found by name (G1, G2)",
    .enabled(if: isHere, "no corpora here"))
  func real() async throws {
    let stations = try Self.stations()
    try await Stage.run {
      let rig = try FindRig(Array(SampleStation.csvHeader.utf8) + stations.flatMap { $0.csv.utf8 })
      let update = try rig.update(within: 60)
      #expect(update.code == 0, "\(update.errors)")
      let copy = try StationDirectory(path: rig.path)
      #expect(copy.count > stations.count * 49 / 50 && copy.count <= stations.count)
      for rank in stride(from: 0, to: copy.count, by: max(1, copy.count / 25)) {
        let name = copy.name(of: rank)
        let words = name.split(separator: " ").map(String.init).filter { !$0.hasPrefix("-") }
        guard !words.isEmpty, words.count <= 16 else { continue }
        let run = try rig.begin(["--limit", "1000"] + words).waitForEnd()
        #expect(run.code == 0 && run.outputText.contains("\t\(name)\t"), "\(name)")
      }
    }
  }
}
