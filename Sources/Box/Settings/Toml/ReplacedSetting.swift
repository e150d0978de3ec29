/// A setting with an unusable value, for which its default counts (I3).
public struct ReplacedSetting: Hashable, Sendable {
  /// The key with its table, such as "[mqtt] server".
  public let key: String
  /// The fault.
  public let error: SettingsError
}
