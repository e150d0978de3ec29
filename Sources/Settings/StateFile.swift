import Glibc

/// The file in which a radio remembers; it is whole at any moment.
public struct StateFile: Sendable {
  /// Its path: `state` in the folder that `[state] path` names.
  public let path: String

  /// The file in a folder, which has to be there before it is written.
  public init(folder: String) { path = folder + "/state" }

  /// What was remembered, or what a new radio begins with; `problem` is a sentence where a file was there and could
  /// not be used. A broken file is set aside as `state.broken`.
  public func load() -> (state: SavedState, problem: SettingsError?) {
    guard access(path, F_OK) == 0 || errno != ENOENT else { return (SavedState(), nil) }
    let bytes: [UInt8]
    do throws(SettingsError) { bytes = try SmallFile.read(path, limit: Self.byteLimit) } catch {
      return (SavedState(), setAside(error.problem))
    }
    if let state = SavedState(bytes) { return (state, nil) }
    return (SavedState(), setAside("what it remembers is damaged"))
  }

  /// Remembers a state (`rename(2)`); some 10 ms on an SD card, so not on a thread that may not wait.
  ///
  /// - Throws: `SettingsError` where it cannot be written; what was remembered before then stays.
  public func save(_ state: SavedState) throws(SettingsError) {
    try AtomicFile(path).replace(with: Array(state.text.utf8), mode: 0o600)
  }

  private static let byteLimit = 64 << 10

  private func setAside(_ problem: String) -> SettingsError {
    .setAside(path, problem, "the radio begins as a new one")
  }
}

extension SettingsError {
  /// Gives a broken file another name, for whoever wants to look at it, and says so.
  static func setAside(_ path: String, _ problem: String, _ consequence: String) -> SettingsError {
    let isMoved = rename(path, path + ".broken") == 0
    let fate = isMoved ? "it is kept as \(path).broken" : "it cannot be set aside (\(Errno.words(errno)))"
    return SettingsError(path, "\(problem); \(fate), and \(consequence)")
  }
}
