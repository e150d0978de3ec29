import Settings

protocol OwnerStore: AnyObject {
  var settings: OwnerSettings { get }

  /// Applies a change at once and starts its write. Throws if it is invalid, or if too many changes wait for the disk.
  func change(_ change: OwnerChange, over base: [StationSettings]) throws(SettingsError)

  /// Rereads the stored changes; an unreadable file changes nothing.
  func reload()
}

extension OwnerKeeper: OwnerStore {}
