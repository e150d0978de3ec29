import Control
import Network
import Settings
import System
import Units

/// The fallbacks of the box's settings and stations (F4). Control thread only.
final class FallbackKeeper {
  private let presets: PresetController
  private let settings: SettingsController

  init(_ presets: PresetController, _ settings: SettingsController) {
    (self.presets, self.settings) = (presets, settings)
  }

  /// True if a station may have a fallback, from which the radio returns.
  var isUsed: Bool {
    !settings.configuration.continuity.fallback.isEmpty
      || presets.catalog.entries.contains { $0.settings.fallback?.isEmpty == false }
  }

  /// Passes the plans to a new player.
  func connect(_ player: PlayerController) {
    player.fallback.plan = { [unowned self] in plan(for: $0) }
  }

  private func plan(for station: QueuedStation) -> FallbackPlan? {
    let (catalog, continuity) = (presets.catalog, settings.configuration.continuity)
    let own = catalog.entries.first {
      $0.settings.url == station.request.url && (station.name.isEmpty || $0.settings.name == station.name)
    }
    let entries = own?.settings.fallback
    guard continuity.hasTone || !(entries ?? continuity.fallback).isEmpty else { return nil }
    let buffer = settings.configuration.buffer
    return FallbackPlan(
      continuity, own: own?.settings, among: PresetList(catalog.presets),
      startWait: buffer.start == .fixed ? buffer.waitLive : 0, request)
  }

  private func request(_ url: StationAddress) -> StationRequest? {
    PresetCatalog.request(url, settings.configuration.buffer)
  }

  /// Logs a sentence for each entry that cannot play now. Reads folders on a thread of its own, because a network disk
  /// may block.
  func logProblems() {
    var entries = settings.configuration.continuity.fallback.listed(in: "[continuity]")
    for entry in presets.catalog.entries {
      entries += (entry.settings.fallback ?? []).listed(in: "\"\(entry.settings.name)\"")
    }
    guard !entries.isEmpty else { return }
    let (stations, buffer) = (PresetList(presets.catalog.presets), settings.configuration.buffer)
    _ = OwnedThread.detach("fallbacks") { [entries] in
      let problems = ListedFallback.problems(in: entries, among: stations) { PresetCatalog.request($0, buffer) }
      for problem in problems { log(.warning, problem) }
    }
  }
}
