import Control
import RadioEngine
import Network
import PanelWords
import Settings
import System
import Units

/// The saved state and the thread that writes it. Control thread only.
final class StateSaver {
  var state: SavedState
  private var writer: SavedStateWriter
  private let disk: FileWriter<SavedState>

  init(folder: String, _ clock: Clock) {
    let file = StateFile(folder: folder)
    disk = FileWriter("state", clock) { state throws(SettingsError) in try file.save(state) }
    state = file.loadLogged() ?? SavedState()
    writer = SavedStateWriter(written: state)
  }

  var due: MonotonicTime { writer.due }

  func record(_ tuner: Tuner) {
    record(tuner.player)
    recordEpisode(tuner.radio.status, isHeard: false)
  }

  private func record(_ player: PlayerController) {
    (state.volume, state.isMuted) = (player.volume.percent, player.volume.isMuted)
    guard let current = player.current else { return }
    (state.stationURL, state.stationName) = (current.request.url, current.name)
    state.isFromDirectory = current.request.reach != .anywhere
  }

  /// Stores the position in an episode. `isHeard`: true if the episode was played to its end.
  func recordEpisode(_ status: RadioStatus, isHeard: Bool) {
    if let mark = PodcastResume.bookmark(status, isHeard: isHeard) { state.bookmarks.insert(mark) }
  }

  /// Records the knob's mode, and the time if the clock is set. Starts a write if a write is due.
  func save(_ knobMode: KnobMode, _ wall: WallTime, at now: MonotonicTime) {
    state.knobMode = knobMode
    if wall.isSet { state.wallClock = wall.seconds }
    writer.update(state, at: now)
    if let due = writer.nextState(at: now) { disk.submit(due) }
  }

  func finish() {
    writer.update(state, at: .never)
    if let last = writer.lastState() { disk.submit(last) }
    disk.finish()
  }
}
