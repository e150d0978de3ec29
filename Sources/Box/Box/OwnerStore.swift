import Settings

/// A store for the owner's changes: `OwnerKeeper`, or a replacement without a disk in tests.
protocol OwnerStore: AnyObject {
  var settings: OwnerSettings { get }

  /// Applies a change at once and starts its write.
  ///
  /// - Throws: `SettingsError` if the change is invalid, or if too many changes wait for the disk.
  func change(_ change: OwnerChange, over base: [StationSettings]) throws(SettingsError)

  /// Rereads the stored changes; unreadable ones change nothing.
  func reload()
}

extension OwnerKeeper: OwnerStore {}
