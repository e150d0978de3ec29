import Control
import Settings

/// The stations of a `PlaySession`, with their gains.
struct PlayLineup {
  /// The settings of a listed station. A reference, because a lineup may contain thousands of addresses without.
  final class ListedSettings {
    let settings: StationSettings

    init(_ settings: StationSettings) { self.settings = settings }
  }

  struct Station {
    let preset: Preset
    /// Gain in dB.
    let gain: Double
    /// The station's settings; nil for an address.
    var listed: ListedSettings?
  }

  /// The stations in the queue at the start.
  let queue: [Station]
  /// Position of the first station to play, in the queue.
  let first: Int
  /// The stations of the number keys and of `radio_tune NUMBER`.
  let presets: [Station]
  /// True if the queue is the user's list, through which `next` and `previous` move.
  let areFavourites: Bool

  /// Plays stations one after the other. `favourites`: the user's list, if it contains all stations.
  init(_ given: [Station], favourites: [Station]? = nil) {
    (queue, presets) = (given, favourites ?? given)
    (first, areFavourites) = (0, false)
  }

  /// Plays one station of the user's list.
  init(favourites: [Station], at place: Int) {
    (queue, presets) = (favourites, favourites)
    (first, areFavourites) = (place, true)
  }

  /// Gain of the first station in dB.
  var firstGain: Double { queue.indices.contains(first) ? queue[first].gain : 0 }

  /// Returns the gain of a station in dB; nil for a station that a client added.
  func gain(of station: QueuedStation) -> Double? { entry(of: station)?.gain }

  /// Returns the settings of a station of the user's list.
  func settings(of station: QueuedStation) -> StationSettings? { entry(of: station)?.listed?.settings }

  /// The stations' own fallbacks.
  var fallbacks: [ListedFallback] {
    [queue, presets].flatMap { stations in stations.compactMap { $0.listed?.settings } }
      .flatMap { ($0.fallback ?? []).listed(in: "\"\($0.name)\"") }
  }

  private func entry(of station: QueuedStation) -> Station? {
    let (url, name) = (station.request.url, station.name)
    let same = (presets + queue).filter { $0.preset.request.url == url }
    return same.first { $0.preset.name == name } ?? same.first
  }
}
