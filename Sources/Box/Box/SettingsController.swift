import Control
import Settings

/// The settings that count: those of `bakelite.toml`, as the owner changed them at run time (D16). The control
/// thread's.
final class SettingsController {
  /// What counts.
  private(set) var configuration: Configuration
  /// What `bakelite.toml` says.
  private var ofFile: Configuration
  private let owner: any OwnerStore

  /// The settings of a file, and what the owner told; where that does not fit the file is what counts, which is logged.
  init(_ ofFile: Configuration, _ owner: any OwnerStore) {
    (self.ofFile, self.owner) = (ofFile, owner)
    configuration = Self.changed(ofFile, owner.settings)
  }

  private static func changed(_ ofFile: Configuration, _ settings: OwnerSettings) -> Configuration {
    do throws(SettingsErrors) { return try ofFile.changed(by: settings) } catch {
      log(.error, "\(error.description)\nThe settings that were made at run time are left out until that fits.")
      return ofFile
    }
  }

  /// A setting as `bakelite.toml` has it, as a person writes it; nil for a key that cannot be changed.
  func usual(_ key: String) -> String? { ofFile.words(of: key) }

  /// Takes what was read of the file and of the owner's; nil: the file stays as it was.
  func adopt(_ ofFile: Configuration?) {
    if let ofFile { self.ofFile = ofFile }
    configuration = Self.changed(self.ofFile, owner.settings)
  }

  /// Sets a setting as TOML writes it; nil: as `bakelite.toml` has it. `base` is what `stations.toml` has.
  ///
  /// - Throws: `SettingsErrors` where it does not fit, or where nothing can be written; then nothing changed.
  func set(_ key: String, _ literal: String?, over base: [StationSettings]) throws(SettingsErrors) {
    let change = OwnerChange.set(key, literal)
    var settings = owner.settings
    do throws(SettingsError) { try settings.apply(change, over: base) } catch { throw SettingsErrors(error) }
    let changed = try ofFile.changed(by: settings)
    do throws(SettingsError) { try owner.change(change, over: base) } catch { throw SettingsErrors(error) }
    configuration = changed
  }

  /// Sets a setting as a person writes it; "reset" takes it back. Whether that counts at once.
  func set(_ key: String, as text: String, over base: [StationSettings]) throws(ControlRefusal) -> Bool {
    try check(key)
    do throws(SettingsErrors) {
      try set(key, text == "reset" ? nil : Configuration.literal(text, for: key), over: base)
    } catch {
      throw ControlRefusal(.argument, error.all[0].problem)
    }
    return Configuration.appliesAtOnce(key)
  }

  /// Refuses a key that cannot be changed at run time.
  func check(_ key: String) throws(ControlRefusal) {
    guard configuration.words(of: key) != nil else { throw ControlRefusal(.argument, Configuration.cannotChange(key)) }
  }
}
