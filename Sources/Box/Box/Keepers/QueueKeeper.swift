import Control
import Http
import Settings
import System
import Units

/// Stores the queue for a recreated radio and the next start; a separate thread writes the file. Control thread only.
final class QueueKeeper {
  private let disk: FileWriter<SavedQueue>
  private(set) var record: QueueRecord
  private var seenVersion = 0

  init(folder: String, _ clock: Clock) {
    let file = QueueFile(folder: folder)
    disk = FileWriter("queue", clock) { queue throws(SettingsError) in try file.save(queue) }
    record = QueueRecord(file.loadLogged() ?? SavedQueue())
  }

  /// Fills the player's queue with the stored stations, or with the presets if no client changed the queue.
  func fill(_ player: PlayerController, _ catalog: PresetCatalog, _ buffer: Configuration.Buffer) {
    let kept = record.queue.stations?.compactMap { Self.preset($0, catalog, buffer) }
    player.fill(with: kept ?? player.presets.presets)
    adopt(player)
  }

  /// Records the player's queue as filled by the box; the queue then still follows the presets.
  func adopt(_ player: PlayerController) {
    record.fill(with: Self.stations(of: player))
    seenVersion = player.queue.listVersion
  }

  private static func preset(
    _ station: SavedQueue.Station, _ catalog: PresetCatalog, _ buffer: Configuration.Buffer
  ) -> Preset? {
    let same = catalog.entries.filter { $0.settings.url == station.url }
    let entry = same.first { $0.settings.name == station.name } ?? same.first
    let reach = AddressPolicy(remembered: station.url, isNamed: station.isFromDirectory)
    let request = entry?.request ?? PresetCatalog.request(station.url, buffer, reach)
    return request.map { Preset(name: station.name, request: $0) }
  }

  private static func stations(of player: PlayerController) -> [SavedQueue.Station] {
    player.queue.stations.map {
      SavedQueue.Station(
        name: $0.name, url: $0.request.url, isFromDirectory: $0.request.reach != .anywhere)
    }
  }

  /// Records the player's queue if it changed, and starts a write if one is due.
  func update(_ player: PlayerController, at now: MonotonicTime) {
    if player.queue.listVersion != seenVersion {
      seenVersion = player.queue.listVersion
      let stations = Self.stations(of: player)
      let presets = player.presets.presets
      let isPresets = stations.elementsEqual(presets) { $0.url == $1.request.url && $0.name == $1.name }
      record.update(stations, isPresets: isPresets, at: now)
    }
    if let due = record.nextQueue(at: now) { disk.submit(due) }
  }

  func finish() {
    if let last = record.lastQueue() { disk.submit(last) }
    disk.finish()
  }
}
