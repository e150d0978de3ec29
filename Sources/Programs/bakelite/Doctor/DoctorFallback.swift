import Control
import Network
import Settings
import Units

/// Checks the fallbacks of settings and stations (F4): each must name a station, an address, or audio files.
struct DoctorFallback {
  private let settings: Configuration
  private let stations: [StationList.Entry]

  init(_ files: DoctorFiles) {
    self.init(files.configuration, files.stations.entries)
  }

  init(_ settings: Configuration, _ stations: [StationList.Entry]) {
    (self.settings, self.stations) = (settings, stations)
  }

  private var entries: [ListedFallback] {
    settings.continuity.fallback.listed(in: "[continuity]")
      + stations.flatMap { entry in
        (entry.station.fallback ?? []).listed(in: "\"\(entry.station.name)\" (line \(entry.line))")
      }
  }

  private static let heardAds = DoctorFinding.problem(
    "fallback", "Ads are played: [continuity] ads is \"other\", but no station has a fallback.",
    mend: "write a fallback below [continuity] in bakelite.toml and restart the radio, or choose ads = \"play\"")

  var findings: [DoctorFinding] {
    let entries = entries
    guard !entries.isEmpty else { return settings.continuity.ads == .other ? [Self.heardAds] : [] }
    let presets = PresetList(
      stations.map { Preset(name: $0.station.name, request: StationRequest(url: $0.station.url)) })
    let problems = ListedFallback.problems(in: entries, among: presets) { StationRequest(url: $0) }
    var findings = problems.map {
      DoctorFinding.problem(
        "fallback", $0,
        mend: "correct fallback in bakelite.toml or stations.toml, or make the path readable for the user bakelite")
    }
    let (blocks, needed) = (settings.buffer.blocks, Limits.prefetchBlockCount)
    if blocks < needed {
      findings.append(
        .problem(
          "fallback",
          "The radio does not return from a fallback: this needs \(needed) blocks, and [buffer] blocks is \(blocks).",
          mend: "write blocks = \(needed) or more below [buffer] in bakelite.toml"))
    }
    let count = "\(entries.count) fallback\(entries.count == 1 ? "" : "s")"
    return findings.isEmpty ? [.ok("fallback", "\(count) can be used.")] : findings
  }
}
