import Control
import Settings

/// What uses the settings and the presets: `Appliance`.
protocol SettingsClient: AnyObject {
  /// The settings are others: those count that count at once.
  func useSettings()
  /// The presets are others.
  func usePresets()
}

/// Changes the settings that count, and reads them and the stations again, while the box runs. The control thread's.
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

  /// Sets a setting as a person writes it; "reset" takes it back. Whether it counts at once.
  func set(_ key: String, as text: String) throws(ControlRefusal) -> Bool {
    let isAtOnce = try settings.set(key, as: text, over: presets.catalog.base)
    use(key)
    return isAtOnce
  }

  /// Sets a setting as TOML writes it; where it cannot be set, that is logged.
  func set(_ key: String, _ literal: String) {
    do throws(SettingsErrors) { try settings.set(key, literal, over: presets.catalog.base) } catch {
      return log(.warning, error.description)
    }
    use(key)
  }

  /// Has a setting count that was changed.
  private func use(_ key: String) {
    client.useSettings()
    guard key.hasPrefix("buffer.") else { return }
    presets.adopt(settings.configuration.buffer)
    client.usePresets()
  }

  // MARK: All of them

  /// Reads settings and stations again; what cannot be read stays as it was. The sentence of that, if there is any.
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
