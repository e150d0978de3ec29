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

  /// Adapts the loaded state to the settings for a start (I2). A paused radio starts stopped, because its buffer is
  /// gone.
  func begin(_ configuration: Configuration) {
    state.volume = min(state.volume, configuration.audio.startVolumeMax)
    if configuration.start.play == .always { state.intent = .playing }
    if state.intent == .paused { state.intent = .stopped }
  }

  /// Records intent, volume, station and the last alarm.
  func record(_ player: PlayerController, alarmsHandled: Int64?) {
    (state.intent, state.alarmsHandled) = (player.intent, alarmsHandled)
    (state.volume, state.isMuted) = (player.volume.percent, player.volume.isMuted)
    guard let current = player.current else { return }
    (state.stationURL, state.stationName) = (current.request.url, current.name)
    state.isFromDirectory = current.request.reach != .anywhere
  }

  /// Stores the position in an episode. `isHeard`: true if the episode was played to its end.
  func recordEpisode(_ status: RadioStatus, isHeard: Bool) {
    if let mark = PodcastResume.bookmark(status, isHeard: isHeard) { state.bookmarks.insert(mark) }
  }

  /// Records the knob's mode and the time. Starts a write if a write is due. `wall`: seconds since 1970; nil if
  /// unknown.
  func save(_ knobMode: KnobMode, wall: Int64?, at now: MonotonicTime) {
    state.knobMode = knobMode
    if let wall { state.wallClock = wall }
    writer.update(state, at: now)
    if let due = writer.nextState(at: now) { disk.submit(due) }
  }

  func finish() {
    writer.update(state, at: .never)
    if let last = writer.lastState() { disk.submit(last) }
    disk.finish()
  }
}
