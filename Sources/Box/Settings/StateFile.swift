/// The file of the saved state, replaced atomically.
public struct StateFile: Sendable {
  private let file: KeptFile

  /// The path: `state` in the folder of `[state] path`.
  public var path: String { file.path }

  /// Uses the file in a folder, which must exist before `save`.
  public init(folder: String) {
    file = KeptFile(
      path: folder + "/state", byteLimit: 64 << 10, damage: "what it remembers is damaged",
      consequence: "the radio begins as a new one")
  }

  /// Reads the state; a new radio's without a usable file. A broken file becomes `state.broken` and gives a `problem`.
  public func load() -> (state: SavedState, problem: SettingsError?) {
    let (state, problem) = file.load { SavedState($0) }
    return (state ?? SavedState(), problem)
  }

  /// Writes a state (`rename(2)`); if it throws, the old file stays. Takes some 10 ms: only for threads that may block.
  public func save(_ state: SavedState) throws(SettingsError) { try file.save(state.text) }
}
