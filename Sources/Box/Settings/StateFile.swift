/// The file in which a radio remembers; it is whole at any moment.
public struct StateFile: Sendable {
  private let file: KeptFile

  /// Its path: `state` in the folder that `[state] path` names.
  public var path: String { file.path }

  /// The file in a folder, which has to be there before it is written.
  public init(folder: String) {
    file = KeptFile(
      path: folder + "/state", byteLimit: 64 << 10, damage: "what it remembers is damaged",
      consequence: "the radio begins as a new one")
  }

  /// What was remembered, or what a new radio begins with; `problem` is a sentence where a file was there and could
  /// not be used. A broken file is set aside as `state.broken`.
  public func load() -> (state: SavedState, problem: SettingsError?) {
    let (state, problem) = file.load { SavedState($0) }
    return (state ?? SavedState(), problem)
  }

  /// Remembers a state (`rename(2)`); some 10 ms on an SD card, so not on a thread that may not wait.
  ///
  /// - Throws: `SettingsError` where it cannot be written; what was remembered before then stays.
  public func save(_ state: SavedState) throws(SettingsError) { try file.save(state.text) }
}
