import Settings

protocol OwnerStore: AnyObject {
  var settings: OwnerSettings { get }

  /// Applies a change now and starts its write. Throws if the change is invalid, or if too many changes wait for the
  /// disk.
  func change(_ change: OwnerChange, over base: [StationSettings]) throws(SettingsError)

  /// Rereads the stored changes; ignores an unreadable file.
  func reload()
}

extension OwnerKeeper: OwnerStore {}
