import Settings

@testable import Box

/// Owner settings in memory.
final class FakeOwner: OwnerStore {
  private(set) var settings = OwnerSettings()
  private(set) var changeCount = 0

  func change(_ change: OwnerChange, over base: [StationSettings]) throws(SettingsError) {
    try settings.apply(change, over: base)
    changeCount += 1
  }

  func reload() {}
}

extension PresetController {
  /// Presets with these names, one address each.
  convenience init(_ names: [String], _ owner: FakeOwner = FakeOwner()) {
    let base = names.map { StationSettings(name: $0, url: "http://\($0.lowercased()).example/") }
    self.init(PresetCatalog(base: base, owner.settings, Configuration().buffer), owner, Configuration().buffer)
  }

  var names: [String] { catalog.entries.map(\.settings.name) }
}
