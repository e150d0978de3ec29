import Settings

@testable import Box

/// What the owner told, without a disk.
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
  /// The presets of a file with some stations.
  convenience init(_ names: [String], _ owner: FakeOwner = FakeOwner()) {
    let base = names.map { StationSettings(name: $0, url: "http://\($0.lowercased()).example/") }
    self.init(PresetCatalog(base: base, owner.settings, Configuration().buffer), owner, Configuration().buffer)
  }

  var names: [String] { catalog.entries.map(\.settings.name) }
}
