import Control
import Network
import Settings
import Units

/// Checks the fallbacks of settings and stations (F4): each must name a station, an address, or audio files.
struct DoctorFallback {
  private let settings: Configuration
  private let stations: [StationSettings]

  init(_ files: DoctorFiles) {
    self.init(files.configuration, files.stations.entries.map(\.station))
  }

  init(_ settings: Configuration, _ stations: [StationSettings]) {
    (self.settings, self.stations) = (settings, stations)
  }

  var findings: [DoctorFinding] {
    let entries = settings.continuity.fallback + stations.flatMap { $0.fallback ?? [] }
    guard !entries.isEmpty else { return [] }
    let presets = PresetList(stations.map { Preset(name: $0.name, request: StationRequest(url: $0.url)) })
    let problems = FallbackPlan.problems(in: entries, among: presets) { StationRequest(url: $0) }
    var findings = Set(problems).sorted().map {
      DoctorFinding.problem("fallback", $0, mend: "correct fallback in bakelite.toml or stations.toml")
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
