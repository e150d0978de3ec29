import Control
import Network
import Settings
import System
import Units

/// Keeps the queue as clients left it: for a radio that is made anew, and for the next start. While nobody changed the
/// queue it follows the presets. A thread of its own writes the file.
final class QueueKeeper {
  private let disk: FileWriter<SavedQueue>
  private var record: QueueRecord
  /// The queue's version that was looked at last.
  private var seenVersion = 0

  /// The queue that lies in a folder.
  init(folder: String, _ clock: Clock) {
    let file = QueueFile(folder: folder)
    disk = FileWriter("queue", clock) { queue throws(SettingsError) in try file.save(queue) }
    let (queue, problem) = file.load()
    if let problem { log(.warning, problem.description) }
    record = QueueRecord(queue)
  }

  /// Whether nobody changed the queue.
  var followsPresets: Bool { record.followsPresets }

  /// When something is to be written.
  var due: MonotonicTime { record.due }

  /// Makes a player's queue what it was, or what the presets are where nobody changed it.
  func fill(_ player: PlayerController, _ catalog: PresetCatalog, _ buffer: Configuration.Buffer) {
    let kept = record.queue.stations?.compactMap { Self.preset($0, catalog, buffer) }
    player.fill(with: kept ?? player.presets.presets)
    adopt(player)
  }

  /// Takes a player's queue for what the presets make of it, with what the box itself added.
  func adopt(_ player: PlayerController) {
    record.fill(with: Self.stations(of: player))
    seenVersion = player.queue.version
  }

  /// How a station is tuned to: as the presets say where it is one.
  private static func preset(
    _ station: SavedQueue.Station, _ catalog: PresetCatalog, _ buffer: Configuration.Buffer
  ) -> Preset? {
    let same = catalog.entries.filter { $0.settings.url == station.url }
    let entry = same.first { $0.settings.name == station.name } ?? same.first
    let reach = Reach(remembered: station.url, isNamed: station.isFromDirectory)
    let request = entry?.request ?? PresetCatalog.request(station.url, buffer, reach)
    return request.map { Preset(name: station.name, request: $0) }
  }

  private static func stations(of player: PlayerController) -> [SavedQueue.Station] {
    player.queue.stations.map {
      SavedQueue.Station(
        name: $0.name, url: $0.request.url, isFromDirectory: $0.request.reach != .anywhere)
    }
  }

  /// Takes the queue of a player as it is now, and has it written when that is due.
  func note(_ player: PlayerController, at now: MonotonicTime) {
    if player.queue.version != seenVersion {
      seenVersion = player.queue.version
      let stations = Self.stations(of: player)
      let presets = player.presets.presets
      let isPresets = stations.elementsEqual(presets) { $0.url == $1.request.url && $0.name == $1.name }
      record.note(stations, isPresets: isPresets, at: now)
    }
    if let due = record.take(at: now) { disk.give(due) }
  }

  /// Writes what is not yet written, and what could not be written, and ends the thread.
  func finish() {
    if let last = record.takeLast() { disk.give(last) }
    disk.finish()
  }
}
