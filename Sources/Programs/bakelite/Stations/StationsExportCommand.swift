import ArgumentParser
import Settings
import Units

struct StationsExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the stations to standard output as a playlist, for other radios.",
    discussion: """
      Only toml contains all options of the stations; other formats contain names and addresses. Without \
      --with-secrets, omits users, passwords, headers, and queries with a secret such as a token; stations that need \
      them do not play elsewhere.
      """)

  @OptionGroup var file: StationFileOption

  @Option("Write this format.", value: "format")
  var format = Format.m3u

  @Flag(help: "Write users, passwords, headers and secret queries too. Keep the output secret.")
  var withSecrets = false

  enum Format: String, ExpressibleByArgument, CaseIterable { case m3u, pls, opml, toml }

  func run() throws {
    let (list, _, presets) = try StationFiles(file).presets()
    for problem in list.problems { printError("\(problem)") }
    // The output may replace a good copy.
    guard list.isWhole else { throw Outcome(list.problems).exitCode }
    let all = presets.map(\.station)
    let stations = withSecrets ? all : all.map(\.withoutSecrets)
    put(Self.text(stations, format))
    // In formats other than TOML, only a secret in the address can be omitted.
    let count = zip(all.map(Self.withoutFragments), stations).count { format == .toml ? $0 != $1 : $0.url != $1.url }
    if count > 0 {
      printNote("Omitted the secrets of \(count) station\(count == 1 ? "" : "s"); --with-secrets includes them.")
    }
    let others = all.count { StationSettings(name: $0.name, url: $0.url) != $0 }
    if format != .toml, others > 0 {
      printNote("\(others) station\(others == 1 ? " has" : "s have") options that only --format toml contains.")
    }
  }

  /// Returns a station without the fragments of addresses without secrets, because an export has no fragments.
  private static func withoutFragments(_ station: StationSettings) -> StationSettings {
    func plain(_ url: StationAddress) -> StationAddress { url.hasSecrets ? url : url.withoutSecrets }
    var station = station
    station.url = plain(station.url)
    station.xmlMetadataURL = station.xmlMetadataURL.map(plain)
    station.live365MetadataURL = station.live365MetadataURL.map(plain)
    for index in station.alternatives.indices {
      station.alternatives[index].url = plain(station.alternatives[index].url)
    }
    return station
  }

  private static func text(_ stations: [StationSettings], _ format: Format) -> String {
    switch format {
    case .m3u: "#EXTM3U\n" + stations.map { "#EXTINF:-1,\($0.name)\n\($0.url.unredacted)\n" }.joined()
    case .pls: pls(stations)
    case .opml: opml(stations)
    case .toml: stations.map(\.toml).joined(separator: "\n")
    }
  }

  private static func pls(_ stations: [StationSettings]) -> String {
    let entries = stations.enumerated().map { index, station in
      let number = index + 1
      return "File\(number)=\(station.url.unredacted)\nTitle\(number)=\(station.name)\nLength\(number)=-1\n"
    }
    return "[playlist]\n" + entries.joined() + "NumberOfEntries=\(stations.count)\nVersion=2\n"
  }

  private static func opml(_ stations: [StationSettings]) -> String {
    let outlines = stations.map { station in
      "    <outline type=\"audio\" text=\"\(escaped(station.name))\" url=\"\(escaped(station.url.unredacted))\"/>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0">
        <head><title>Stations</title></head>
        <body>
      \(outlines.joined())  </body>
      </opml>

      """
  }

  /// Escapes text for a double-quoted attribute (XML 1.0, 2.3).
  private static func escaped(_ text: String) -> String {
    let entities: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", "\"": "&quot;"]
    return text.unicodeScalars.map { entities[$0] ?? String($0) }.joined()
  }
}
