import Control
import Settings

protocol SettingsClient: AnyObject {
  /// Applies changed settings, but only if they take effect without a restart.
  func useSettings()
  func usePresets()
}

/// Changes single settings and reloads the files while the box runs. Control thread only.
final class SettingsReloader {
  private let launch: LaunchOptions
  private let settings: SettingsController
  private let presets: PresetController
  private let owner: any OwnerStore
  private unowned let client: any SettingsClient

  init(
    _ launch: LaunchOptions, _ settings: SettingsController, _ presets: PresetController, _ owner: any OwnerStore,
    for client: any SettingsClient
  ) {
    self.launch = launch
    self.settings = settings
    self.presets = presets
    self.owner = owner
    self.client = client
  }

  // MARK: One setting

  func set(_ key: String, as text: String) throws(ControlRefusal) -> Bool {
    let isAtOnce = try settings.set(key, as: text, over: presets.catalog.base)
    use(key)
    return isAtOnce
  }

  func set(_ key: String, _ literal: String) {
    do throws(SettingsErrors) { try settings.set(key, literal, over: presets.catalog.base) } catch {
      return log(.warning, error.description)
    }
    use(key)
  }

  private func use(_ key: String) {
    client.useSettings()
    guard key.hasPrefix("buffer.") else { return }
    presets.adopt(settings.configuration.buffer)
    client.usePresets()
  }

  // MARK: All settings

  /// Reloads the files. Returns the error as a sentence; nil without errors. The values of an unreadable file stay.
  func reload() -> String? {
    let (read, problem) = launch.readAgain()
    owner.reload()
    settings.adopt(read)
    client.useSettings()
    let buffer = settings.configuration.buffer
    let catalog = PresetCatalog(launch.stationsPath, owner.settings, buffer)
    let unread = presets.adopt(catalog, from: launch.stationsPath, buffer)
    if let unread { log(.error, unread) }
    client.usePresets()
    let fault = unread ?? problem
    if fault == nil { log(.notice, "Settings and stations were read again: \(presets.count) stations.") }
    return fault
  }
}
