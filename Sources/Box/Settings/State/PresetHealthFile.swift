/// The file of `PresetHealth`, replaced atomically.
public struct PresetHealthFile: Sendable {
  private let file: KeptFile

  /// The path: `presets` in the folder of `[state] path`.
  public var path: String { file.path }

  /// Uses the file in a folder, which must exist before `save`.
  public init(folder: String) {
    file = KeptFile(
      path: folder + "/presets", byteLimit: 2 << 20, damage: "its record of the presets is damaged",
      consequence: "failures are counted from zero")
  }

  /// Reads the file. `health` is empty if no usable file exists. A broken file is renamed to `presets.broken`, and
  /// `problem` describes the fault.
  public func load() -> (health: PresetHealth, problem: SettingsError?) {
    let (health, problem) = file.load { PresetHealth($0) }
    return (health ?? PresetHealth(), problem)
  }

  /// Reads the file, but does not rename a broken file. The result is empty if no usable file exists.
  public func peek() -> PresetHealth {
    (try? SmallFile.read(file.path, limit: file.byteLimit)).flatMap { PresetHealth($0) } ?? PresetHealth()
  }

  /// Writes the file (`rename(2)`); if it throws, the old file stays. Only for threads that may block.
  public func save(_ health: PresetHealth) throws(SettingsError) { try file.save(health.text) }
}
