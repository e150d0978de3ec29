import Control
import Settings

/// The settings in effect: `bakelite.toml` with the owner's changes at run time (D16). Control thread only.
final class SettingsController {
  private(set) var configuration: Configuration
  private var fileSettings: Configuration
  private let owner: any OwnerStore

  /// Applies the owner's changes to the file's settings. If they do not fit, uses only the file's settings and logs the
  /// error.
  init(_ ofFile: Configuration, _ owner: any OwnerStore) {
    (self.fileSettings, self.owner) = (ofFile, owner)
    configuration = Self.applyOwnerSettings(ofFile, owner.settings)
  }

  private static func applyOwnerSettings(_ ofFile: Configuration, _ settings: OwnerSettings) -> Configuration {
    do throws(SettingsErrors) { return try ofFile.changed(by: settings) } catch {
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
    configuration = Self.applyOwnerSettings(self.fileSettings, owner.settings)
  }

  /// Sets a setting. `literal`: TOML; nil restores the value of `bakelite.toml`. `base`: the content of
  /// `stations.toml`. If the value is invalid or too many changes wait for the disk, throws and changes nothing.
  func set(_ key: String, _ literal: String?, over base: [StationSettings]) throws(SettingsErrors) {
    let change = OwnerChange.set(key, literal)
    var settings = owner.settings
    do throws(SettingsError) { try settings.apply(change, over: base) } catch { throw SettingsErrors(error) }
    let changed = try fileSettings.changed(by: settings)
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
