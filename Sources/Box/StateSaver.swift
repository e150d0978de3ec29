import Settings
import Units

/// What the radio remembers, and the thread that writes it.
final class StateSaver {
  private let file: StateFile
  private var writer = SavedStateWriter(written: nil)
  private let disk: FileWriter<SavedState>

  /// What is remembered in a folder.
  init(folder: String) {
    let file = StateFile(folder: folder)
    self.file = file
    disk = FileWriter("state") { state throws(SettingsError) in try file.save(state) }
  }

  /// What was remembered.
  func load() -> SavedState {
    let (state, problem) = file.load()
    if let problem { log(.warning, problem.description) }
    writer = SavedStateWriter(written: state)
    return state
  }

  /// When something is to be written.
  var due: MonotonicTime { writer.due }

  /// Takes the state as it is now, and has it written when that is due.
  func note(_ state: SavedState, at now: MonotonicTime) {
    writer.note(state, at: now)
    if let due = writer.take(at: now) { disk.give(due) }
  }

  /// Writes what is not yet written, and what could not be written, and ends the thread.
  func finish(_ state: SavedState) {
    writer.note(state, at: .never)
    if let last = writer.takeLast() { disk.give(last) }
    disk.finish()
  }
}
