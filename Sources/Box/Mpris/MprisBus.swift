import CBus

/// A message bus (D-Bus) on which clients find the player.
public enum MprisBus: Sendable {
  /// The bus of a user's desktop session.
  case session
  /// The machine's bus.
  case system

  /// Loads libsystemd, which speaks to the bus (dlopen(3)). Returns false if the library is missing or too old.
  public static func loadLibrary() -> Bool { bk_bus_load() }

  /// The name in sentences.
  public var name: String {
    switch self {
    case .session: "session bus"
    case .system: "system bus"
    }
  }
}
