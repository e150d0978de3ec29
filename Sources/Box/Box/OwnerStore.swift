import Settings

/// Where what the owner told the box at run time lies: `OwnerKeeper`, and in tests something without a disk.
protocol OwnerStore: AnyObject {
  /// What was told.
  var settings: OwnerSettings { get }

  /// Takes a change, which counts at once, and has it written.
  ///
  /// - Throws: `SettingsError` where it cannot be, or where nothing can be written.
  func change(_ change: OwnerChange, over base: [StationSettings]) throws(SettingsError)

  /// Reads again what was told; what cannot be read changes nothing.
  func reload()
}

extension OwnerKeeper: OwnerStore {}
