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

  /// Reads the state. If no usable file exists, the result is a new radio's state. A broken file is renamed to
  /// `state.broken`, and `problem` describes the fault.
  public func load() -> (state: SavedState, problem: SettingsError?) {
    let (state, problem) = file.load { SavedState($0) }
    return (state ?? SavedState(), problem)
  }

  /// Writes a state (`rename(2)`). If it throws, the old file stays. The call blocks for some 10 ms.
  public func save(_ state: SavedState) throws(SettingsError) { try file.save(state.text) }
}
