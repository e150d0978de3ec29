import Control
import Glibc
import Network
import Settings
import System
import Units

/// Gives players what they play: the owner's presets, and the queue as clients left it. The control thread's.
final class PlayerFiller {
  private let presets: PresetController
  private let settings: SettingsController
  private let queueKeeper: QueueKeeper
  private let clock: Clock

  /// The presets and the queue that lie in a folder.
  init(_ presets: PresetController, _ settings: SettingsController, folder: String, _ clock: Clock) {
    (self.presets, self.settings, self.clock) = (presets, settings, clock)
    queueKeeper = QueueKeeper(folder: folder, clock)
  }

  /// When something is to be written.
  var due: MonotonicTime { queueKeeper.due }

  /// Gives a new player the presets, and the queue as it was left.
  func fill(_ player: PlayerController) {
    player.take(list)
    queueKeeper.fill(player, presets.catalog, buffer)
  }

  /// Gives a player the presets as they are now; a queue that nobody changed follows them.
  func refresh(_ player: PlayerController) {
    player.take(list)
    if queueKeeper.followsPresets { queueKeeper.fill(player, presets.catalog, buffer) }
  }

  /// Whether nobody changed the queue.
  var followsPresets: Bool { queueKeeper.followsPresets }

  /// Makes a player's queue what the presets are, beside what plays.
  func followPresets(_ player: PlayerController) {
    player.fill(with: player.presets.presets)
    queueKeeper.adopt(player)
  }

  /// The same, unless a client changed the queue meanwhile.
  func goOnFollowing(_ player: PlayerController) {
    note(player, at: clock.now())
    if followsPresets { followPresets(player) }
  }

  /// Takes the queue of a player as it is now, and has it written when that is due.
  func note(_ player: PlayerController, at now: MonotonicTime) { queueKeeper.note(player, at: now) }

  /// Plays what was played last, or else the first station.
  func playLast(_ state: SavedState, _ player: PlayerController) {
    if let place = place(of: state) {
      player.playPreset(place)
    } else if let url = state.stationURL,
      let request = PresetCatalog.request(url, buffer, .init(remembered: url, isNamed: state.isFromDirectory))
    {
      _ = playBeside(request, name: state.stationName ?? "", player)
    } else if !player.playPreset(0) {
      player.play(0)
    }
  }

  /// The preset that was played last. A station of the directory is none that only has its name, unless that one has
  /// moved from there.
  private func place(of state: SavedState) -> Int? {
    guard let place = presets.catalog.place(url: state.stationURL, name: state.stationName) else { return nil }
    let settings = presets.catalog.entries[place].settings
    guard let url = state.stationURL, state.isFromDirectory, settings.url != url else { return place }
    return settings.alternatives.contains { $0.url == url } ? place : nil
  }

  /// Plays a station of the directory, as the preset that it may be; false where there is no such station or no player,
  /// where its address may not be tuned to, or where the queue is full.
  func play(_ found: FoundStation?, _ player: PlayerController?) -> Bool {
    guard let found, let player else { return false }
    let (url, name) = (found.entry.url, found.entry.name)
    if let place = presets.catalog.place(url: url, name: nil) { return player.playPreset(place) }
    return PresetCatalog.request(url, buffer, found.reach).map { playBeside($0, name: name, player) } ?? false
  }

  /// Plays a station that nobody added to the queue: one that follows the presets goes on to do so. False where the
  /// queue is full.
  func playBeside(_ request: StationRequest, name: String, _ player: PlayerController) -> Bool {
    guard followsPresets else { return player.tune(request, name: name) }
    followPresets(player)
    defer { queueKeeper.adopt(player) }
    return player.tune(request, name: name)
  }

  /// Writes what is not yet written, and ends the thread.
  func finish() { queueKeeper.finish() }

  private var buffer: Configuration.Buffer { settings.configuration.buffer }

  /// The presets as clients have them.
  private var list: PresetList { PresetList(presets.catalog.presets, changed: Int64(clock.wallSeconds())) }
}
