import Control
import Settings
import Units

/// Keeps the queue as clients left it: for a radio that is made anew, and for the next start. While nobody changed the
/// queue it follows the presets. A thread of its own writes the file.
final class QueueKeeper {
  private let disk: FileWriter<SavedQueue>
  private var queue = SavedQueue()
  /// What the presets made of the queue: with the station in it that played and is a preset no more.
  private var filled: [SavedQueue.Station] = []
  /// The queue's version that was looked at last.
  private var seenVersion = 0
  /// Whether the queue was given to the thread that writes it; that one tries again where it fails.
  private var isGiven = true
  /// When the queue changed last, and first since it was written.
  private var changed = MonotonicTime.zero
  private var since = MonotonicTime.zero
  private var earliest = MonotonicTime.zero

  /// The queue that lies in a folder.
  init(folder: String) {
    let file = QueueFile(folder: folder)
    disk = FileWriter("queue") { queue throws(SettingsError) in try file.save(queue) }
    let (queue, problem) = file.load()
    if let problem { log(.warning, problem.description) }
    self.queue = queue
  }

  /// Whether nobody changed the queue.
  var followsPresets: Bool { queue.stations == nil }

  /// Makes a player's queue what it was, or what the presets are where nobody changed it.
  func fill(_ player: PlayerController, _ catalog: PresetCatalog, _ buffer: Configuration.Buffer) {
    player.fill(with: queue.stations?.compactMap { Self.preset($0, catalog, buffer) } ?? player.presets.presets)
    filled = Self.stations(of: player)
    seenVersion = player.queue.version
  }

  /// How a station is tuned to: as the presets say where it is one.
  private static func preset(
    _ station: SavedQueue.Station, _ catalog: PresetCatalog, _ buffer: Configuration.Buffer
  ) -> Preset? {
    let same = catalog.entries.filter { $0.settings.url == station.url }
    let entry = same.first { $0.settings.name == station.name } ?? same.first
    let request = entry?.request ?? PresetCatalog.request(station.url, buffer)
    return request.map { Preset(name: station.name, request: $0) }
  }

  private static func stations(of player: PlayerController) -> [SavedQueue.Station] {
    player.queue.stations.map { SavedQueue.Station(name: $0.name, url: $0.request.url) }
  }

  // MARK: Writing

  /// When something is to be written.
  var due: MonotonicTime {
    isGiven ? .never : max(earliest, min(changed + SavedStateWriter.rest, since + SavedStateWriter.interval))
  }

  /// Takes the queue as it is now, and has it written when it has rested for a second, at most every ten seconds.
  func note(_ player: PlayerController, at now: MonotonicTime) {
    if player.queue.version != seenVersion {
      seenVersion = player.queue.version
      note(Self.stations(of: player), presets: player.presets, at: now)
    }
    guard now >= due else { return }
    write()
    earliest = now + SavedStateWriter.interval
  }

  private func note(_ stations: [SavedQueue.Station], presets: PresetList, at now: MonotonicTime) {
    let isPresets = stations.elementsEqual(presets.presets) { $0.url == $1.request.url && $0.name == $1.name }
    let isUntouched = isPresets || followsPresets && stations == filled
    let new = SavedQueue(isUntouched ? nil : stations)
    guard new != queue else { return }
    queue = new
    changed = now
    if isGiven { since = now }
    isGiven = false
  }

  private func write() {
    isGiven = true
    disk.give(queue)
  }

  /// Writes what is not yet written, and what could not be written, and ends the thread.
  func finish() {
    if !isGiven { write() }
    disk.finish()
  }
}
