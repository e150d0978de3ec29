import Control
import Network
import Settings
import System
import Units

/// Fills players with the owner's presets and the stored queue, and plays stations. Control thread only.
final class PlayerFiller {
  private let presets: PresetController
  private let settings: SettingsController
  private let queueKeeper: QueueKeeper
  private let clock: Clock

  init(_ presets: PresetController, _ settings: SettingsController, folder: String, _ clock: Clock) {
    (self.presets, self.settings, self.clock) = (presets, settings, clock)
    queueKeeper = QueueKeeper(folder: folder, clock)
  }

  var due: MonotonicTime { queueKeeper.record.due }

  func fill(_ player: PlayerController) {
    player.setPresets(list)
    queueKeeper.fill(player, presets.catalog, buffer)
  }

  /// Replaces the player's presets. If no client changed the queue, also replaces the queue.
  func refresh(_ player: PlayerController) {
    player.setPresets(list)
    if followsPresets { queueKeeper.fill(player, presets.catalog, buffer) }
  }

  var followsPresets: Bool { queueKeeper.record.followsPresets }

  /// Fills the player's queue with the presets; the playing station continues.
  func followPresets(_ player: PlayerController) {
    player.fill(with: player.presets.presets)
    queueKeeper.adopt(player)
  }

  func resumeFollowing(_ player: PlayerController) {
    recordQueue(player, at: clock.now())
    if followsPresets { followPresets(player) }
  }

  func recordQueue(_ player: PlayerController, at now: MonotonicTime) { queueKeeper.update(player, at: now) }

  /// Plays the last station, or else the first preset, or else the first station in the queue.
  func playLast(_ state: SavedState, _ player: PlayerController) {
    if let place = place(of: state) {
      player.playPreset(place)
    } else if let request = lastRequest(state) {
      _ = playOutsidePresets(request, name: state.stationName ?? "", player)
    } else if !player.playPreset(0) {
      player.play(0)
    }
  }

  /// Selects the last station for the next order to play. If no client changed the queue, adds a missing station.
  func selectLast(_ state: SavedState, _ player: PlayerController) {
    let same = player.queue.stations.filter { $0.request.url == state.stationURL }
    if let last = same.first(where: { $0.name == state.stationName }) ?? same.first {
      player.select(id: last.id)
    } else if followsPresets {
      if let place = place(of: state) {
        player.selectPreset(place)
      } else if let request = lastRequest(state), let id = player.add(request, name: state.stationName ?? "") {
        player.select(id: id)
      }
      queueKeeper.adopt(player)
    }
  }

  /// The request for the last station by its address; nil if the address is missing or not allowed.
  private func lastRequest(_ state: SavedState) -> StationRequest? {
    guard let url = state.stationURL else { return nil }
    return PresetCatalog.request(url, buffer, .init(remembered: url, isNamed: state.isFromDirectory))
  }

  /// Returns the index of the last station's preset; nil if it is not a preset. A directory station matches a preset by
  /// name only if the preset has its address as an alternative.
  private func place(of state: SavedState) -> Int? {
    guard let place = presets.catalog.place(url: state.stationURL, name: state.stationName) else { return nil }
    let settings = presets.catalog.entries[place].settings
    guard let url = state.stationURL, state.isFromDirectory, settings.url != url else { return place }
    return settings.alternatives.contains { $0.url == url } ? place : nil
  }

  /// Plays a station of the directory. Returns false if station or player is missing, the address is not allowed, or
  /// the queue is full.
  func play(_ found: FoundStation?, _ player: PlayerController?) -> Bool {
    guard let found, let player else { return false }
    let (url, name) = (found.entry.url, found.entry.name)
    if let place = presets.catalog.place(url: url, name: nil) { return player.playPreset(place) }
    return PresetCatalog.request(url, buffer, found.reach).map { playOutsidePresets($0, name: name, player) } ?? false
  }

  /// Plays a station outside the presets; the queue still follows the presets if it did before. Returns false if the
  /// queue is full.
  func playOutsidePresets(_ request: StationRequest, name: String, _ player: PlayerController) -> Bool {
    guard followsPresets else { return player.tune(request, name: name) }
    followPresets(player)
    defer { queueKeeper.adopt(player) }
    return player.tune(request, name: name)
  }

  func finish() { queueKeeper.finish() }

  private var buffer: Configuration.Buffer { settings.configuration.buffer }

  private var list: PresetList { PresetList(presets.catalog.presets, changed: Int64(clock.wallSeconds())) }
}
