/// The secrets of alternatives that are read with a station list, so that unusable ones are reported.
public enum SecretCheck: Sendable {
  case none
  /// Files by their paths.
  case files
  /// Files, and credentials of the service.
  case all
}
