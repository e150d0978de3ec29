import Control
import Directory
import Glibc
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

  /// Makes a player's queue what the presets are.
  func followPresets(_ player: PlayerController) { player.fill(with: player.presets.presets) }

  /// Takes the queue of a player as it is now, and has it written when that is due.
  func note(_ player: PlayerController, at now: MonotonicTime) { queueKeeper.note(player, at: now) }

  /// Plays what was played last, or else the first station.
  func playLast(_ state: SavedState, _ player: PlayerController) {
    if let place = presets.catalog.place(url: state.stationURL, name: state.stationName) {
      player.playPreset(place)
    } else if let request = state.stationURL.flatMap({ PresetCatalog.request($0, buffer) }) {
      player.tune(request, name: state.stationName ?? "")
    } else if !player.playPreset(0) {
      player.play(0)
    }
  }

  /// Plays a station of the directory, as the preset that it may be; false where there is no such station or no player,
  /// where it cannot be tuned to, or where the queue is full.
  func play(_ found: DirectoryEntry?, _ player: PlayerController?) -> Bool {
    guard let found, let player else { return false }
    if let place = presets.catalog.place(url: found.url, name: nil) { return player.playPreset(place) }
    return PresetCatalog.request(found.url, buffer).map { player.tune($0, name: found.name) } ?? false
  }

  /// Writes what is not yet written, and ends the thread.
  func finish() { queueKeeper.finish() }

  private var buffer: Configuration.Buffer { settings.configuration.buffer }

  /// The presets as clients have them.
  private var list: PresetList { PresetList(presets.catalog.presets, changed: Int64(clock.wallSeconds())) }
}
