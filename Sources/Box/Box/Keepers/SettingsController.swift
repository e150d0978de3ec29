import Control
import Settings
import System

/// The settings in effect: `bakelite.toml` with the owner's changes at run time (D16). Control thread only.
final class SettingsController {
  private(set) var configuration: Configuration
  private var fileSettings: Configuration
  private let owner: any OwnerStore
  /// Bytes of memory that this process may use.
  private let memory: Int

  /// Applies the owner's changes to the file's settings. If they do not fit, uses only the file's settings and logs the
  /// error.
  init(_ ofFile: Configuration, _ owner: any OwnerStore, memory: Int = MachineMemory.byteCount) {
    (self.fileSettings, self.owner, self.memory) = (ofFile, owner, memory)
    configuration = Self.applyOwnerSettings(ofFile, owner.settings, memory)
    reportReplaced()
  }

  /// Logs the unusable values for which their defaults count.
  private func reportReplaced() { for setting in configuration.replaced { log(.warning, setting.error.description) } }

  private static func applyOwnerSettings(
    _ ofFile: Configuration, _ settings: OwnerSettings, _ memory: Int
  ) -> Configuration {
    do throws(SettingsErrors) {
      let changed = try ofFile.changed(by: settings, replacesValues: true)
      if let fault = changed.memoryFault(of: memory), changed.buffer.blocks != ofFile.buffer.blocks {
        throw SettingsErrors(fault)
      }
      return changed
    } catch {
      log(
        .error,
        "\(error.description)\nThe radio ignores the settings that were changed at run time until this is corrected.")
      return ofFile
    }
  }

  /// The value in `bakelite.toml`, as a user writes it; nil if the key cannot be changed.
  func fileValue(_ key: String) -> String? { fileSettings.words(of: key) }

  /// Adopts the owner's changes and new settings of the file. `ofFile`: nil if the file is unchanged.
  func adopt(_ ofFile: Configuration?) {
    if let ofFile { self.fileSettings = ofFile }
    configuration = Self.applyOwnerSettings(self.fileSettings, owner.settings, memory)
    reportReplaced()
  }

  /// Restores the number of blocks in `bakelite.toml`, because the memory is too small for the owner's number.
  func restoreBlocks() {
    let (wanted, blocks) = (configuration.buffer.blocks, fileSettings.buffer.blocks)
    guard wanted > blocks else { return }
    log(.error, "There is no memory for \(wanted) blocks, so the radio uses the \(blocks) of bakelite.toml.")
    configuration.buffer.blocks = blocks
  }

  /// Sets a setting. `literal`: TOML; nil restores the value of `bakelite.toml`. `base`: the content of
  /// `stations.toml`. If the value is invalid or too many changes wait for the disk, throws and changes nothing.
  func set(_ key: String, _ literal: String?, over base: [StationSettings]) throws(SettingsErrors) {
    let change = OwnerChange.set(key, literal)
    var settings = owner.settings
    do throws(SettingsError) { try settings.apply(change, over: base) } catch { throw SettingsErrors(error) }
    // An unusable value of another key must not block this change.
    let changed = try fileSettings.changed(by: settings, replacesValues: true)
    if changed.replaced.contains(where: { $0.key == key }) {
      var only = OwnerSettings()
      do throws(SettingsError) { try only.apply(change, over: []) } catch { throw SettingsErrors(error) }
      _ = try fileSettings.changed(by: only)
    }
    if key == "buffer.blocks", literal != nil, let fault = changed.memoryFault(of: memory) {
      throw SettingsErrors(fault)
    }
    do throws(SettingsError) { try owner.change(change, over: base) } catch { throw SettingsErrors(error) }
    configuration = changed
  }

  /// Sets a setting from text; "reset" restores the file's value. Returns true if the change takes effect at once.
  func set(_ key: String, as text: String, over base: [StationSettings]) throws(ControlRefusal) -> Bool {
    try check(key)
    do throws(SettingsErrors) {
      try set(key, text == "reset" ? nil : Configuration.literal(text, for: key), over: base)
    } catch {
      throw ControlRefusal(.argument, error.all[0].problem)
    }
    return Configuration.appliesAtOnce(key)
  }

  func check(_ key: String) throws(ControlRefusal) {
    guard configuration.words(of: key) != nil else { throw ControlRefusal(.argument, Configuration.cannotChange(key)) }
  }
}
