import Control
import RadioEngine
import Network
import PanelWords
import Settings
import System
import Units

/// What the radio remembers, and the thread that writes it.
final class StateSaver {
  /// What it remembers.
  var state: SavedState
  private var writer: SavedStateWriter
  private let disk: FileWriter<SavedState>

  /// What is remembered in a folder.
  init(folder: String, _ clock: Clock) {
    let file = StateFile(folder: folder)
    disk = FileWriter("state", clock) { state throws(SettingsError) in try file.save(state) }
    let (state, problem) = file.load()
    if let problem { log(.warning, problem.description) }
    self.state = state
    writer = SavedStateWriter(written: state)
  }

  /// When something is to be written.
  var due: MonotonicTime { writer.due }

  /// Remembers what a radio plays, how loud, and how far.
  func note(_ tuner: Tuner) {
    note(tuner.player)
    noteEpisode(tuner.radio.status, isHeard: false)
  }

  private func note(_ player: PlayerController) {
    (state.volume, state.isMuted) = (player.volume.percent, player.volume.isMuted)
    guard let current = player.current else { return }
    (state.stationURL, state.stationName) = (current.request.url, current.name)
    state.isFromDirectory = current.request.reach != .anywhere
  }

  /// Remembers how far the episode that plays was heard, if it is one.
  func noteEpisode(_ status: RadioStatus, isHeard: Bool) {
    if let mark = PodcastResume.bookmark(status, isHeard: isHeard) { state.bookmarks.note(mark) }
  }

  /// Remembers what the knob turns, and the time where that is known; has the state written when that is due.
  func save(_ knobMode: KnobMode, _ wall: WallTime, at now: MonotonicTime) {
    state.knobMode = knobMode
    if wall.isSet { state.wallClock = wall.seconds }
    writer.note(state, at: now)
    if let due = writer.take(at: now) { disk.give(due) }
  }

  /// Writes what is not yet written, and what could not be written, and ends the thread.
  func finish() {
    writer.note(state, at: .never)
    if let last = writer.takeLast() { disk.give(last) }
    disk.finish()
  }
}
