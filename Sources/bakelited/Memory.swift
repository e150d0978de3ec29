import Settings
import Synchronization
import Units

/// What the radio remembers, and the thread that writes it: a slow card keeps nobody waiting.
final class Memory {
  private let file: StateFile
  private var writer = SavedStateWriter(written: nil)
  /// Nil where the kernel gave none: then this one writes.
  private let thread: Worker<SavedState>?

  /// What is remembered in a folder.
  init(folder: String) {
    let file = StateFile(folder: folder)
    self.file = file
    let failed = Mutex(false)
    thread = Worker.make("state") { state in
      if let state { failed.withLock { Self.save(state, file, &$0) } }
      return .never
    }
  }

  private func give(_ state: SavedState) {
    if let thread { return thread.give(state) }
    var hasFailed = false
    Self.save(state, file, &hasFailed)
  }

  private static func save(_ state: SavedState, _ file: StateFile, _ hasFailed: inout Bool) {
    do throws(SettingsError) {
      try file.save(state)
      hasFailed = false
    } catch {
      if !hasFailed { log(.warning, error.description) }
      hasFailed = true
    }
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
    if let due = writer.take(at: now) { give(due) }
  }

  /// Writes what is not yet written, and ends the thread.
  func finish(_ state: SavedState) {
    writer.note(state, at: .never)
    if let last = writer.takeLast() { give(last) }
    thread?.finish(within: MonotonicTime(milliseconds: 3_000))
  }
}
