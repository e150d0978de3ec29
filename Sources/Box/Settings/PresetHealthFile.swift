/// The file in which lies how the presets came lately; it is whole at any moment.
public struct PresetHealthFile: Sendable {
  private let file: KeptFile

  /// Its path: `presets` in the folder that `[state] path` names.
  public var path: String { file.path }

  /// The file in a folder, which has to be there before it is written.
  public init(folder: String) {
    file = KeptFile(
      path: folder + "/presets", byteLimit: 2 << 20, damage: "what it tells of the presets is damaged",
      consequence: "which of them fail is counted anew")
  }

  /// What was kept, or nothing; `problem` is a sentence where a file was there and could not be used. A broken file is
  /// set aside as `presets.broken`.
  public func load() -> (health: PresetHealth, problem: SettingsError?) {
    let (health, problem) = file.load { PresetHealth($0) }
    return (health ?? PresetHealth(), problem)
  }

  /// What was kept, for who only looks: nothing where there is no file, or none that can be read.
  public func peek() -> PresetHealth {
    (try? SmallFile.read(file.path, limit: file.byteLimit)).flatMap { PresetHealth($0) } ?? PresetHealth()
  }

  /// Keeps it (`rename(2)`); not on a thread that may not wait.
  ///
  /// - Throws: `SettingsError` where it cannot be written; what was kept before then stays.
  public func save(_ health: PresetHealth) throws(SettingsError) { try file.save(health.text) }
}
