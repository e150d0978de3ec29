import ArgumentParser
import Control
import Network
import Settings
import System
import Units

/// The options of `play` for interrupted and silent stations (F2, F4).
struct ContinuityOptionGroup: ParsableArguments {
  @Option(
    """
    Receive a live station by a second connection too, from its next address or the same one. Audio continues from it \
    without a gap if the first one fails. on-trouble: for an hour after two failures within ten minutes.
    """, value: "never|on-trouble|always")
  var secondSource = SecondSourceRule.Use.never

  @Option(
    """
    Play this file, folder, address, or station of your list after 15 s of silence, or at once after a 4xx or an \
    unknown host. May be repeated: each is tried in order. Default: none. A station of your list may have its own.
    """, value: "path|url|name")
  var fallback: [String] = []

  @Option(
    """
    Play the fallback if an audible station is below DB dBFS, -90 to -20, for SECONDS, 1 to 3600, or repeats the same \
    audio for SECONDS, at least 60. off: never. Default: -50:20. A station of your list may have its own.
    """, value: "off|db:seconds", parsing: .unconditional, completion: .list(["off"]))
  var deadAir: String?

  func validate() throws {
    guard let deadAir, settings == nil else { return }
    throw ValidationError(
      "--dead-air is \"\(deadAir)\", and must be off, or dB from -90 to -20 and seconds from 1 to 3600, such as -50:20."
    )
  }

  /// True if a fallback may be the name of a station.
  var namesStations: Bool { fallback.map(Self.entry).contains { !$0.contains("://") && !StationFallback($0).isPath } }

  /// The settings of the options; nil if an option is invalid.
  private var settings: ContinuitySettings? {
    var settings = ContinuitySettings()
    settings.fallback = fallback.map(Self.entry)
    guard let deadAir else { return settings }
    if deadAir == "off" {
      settings.deadAirSeconds = 0
      return settings
    }
    let parts = deadAir.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let decibels = parts[0], let seconds = parts[1], seconds >= 1,
      Limits.deadAirDecibels.contains(decibels), Limits.deadAirSeconds.contains(seconds)
    else { return nil }
    (settings.deadAirDecibels, settings.deadAirSeconds) = (decibels, seconds)
    return settings
  }

  /// Passes the fallbacks to the player, and reports those that cannot play. `listed`: the user's list, if a fallback
  /// may name a station. `startWait`: seconds that are buffered before a station starts. `request`: returns the request
  /// for an address, with the options of the command line.
  func connect(
    _ player: PlayerController, _ lineup: PlayLineup, among listed: [Preset], startWait: Double,
    _ request: @escaping (StationAddress) -> StationRequest?
  ) {
    guard let settings else { return }
    let entries = settings.fallback.listed(in: "the command line") + lineup.fallbacks
    guard !entries.isEmpty else { return }
    let stations = PresetList(listed.isEmpty ? lineup.presets.map(\.preset) : listed)
    for problem in ListedFallback.problems(in: entries, among: stations, request) { printNote(problem) }
    player.fallback.plan = { station in
      let own = lineup.settings(of: station)
      guard !(own?.fallback ?? settings.fallback).isEmpty else { return nil }
      return FallbackPlan(settings, own: own, among: stations, startWait: startWait, request)
    }
  }

  /// Returns the entry for a word of the command line: a relative path becomes absolute.
  private static func entry(_ word: String) -> String {
    guard !word.contains("://"), isFile(word) else { return word }
    return absolutePath(word)
  }
}

extension SecondSourceRule.Use: ExpressibleByArgument {}
