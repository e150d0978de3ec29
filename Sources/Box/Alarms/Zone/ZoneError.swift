/// The fault of a time zone's file.
public enum ZoneError: Error, Equatable, Sendable {
  /// The bytes are no TZif file of version 2 to 4: use another file.
  case noZone
  /// The file is incomplete or contradictory: install it again.
  case damaged
}
