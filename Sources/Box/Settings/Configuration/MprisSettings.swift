/// `[mpris]`: the bus on which media keys and desktop applets find the radio.
public struct MprisSettings: Equatable, Sendable {
  /// A message bus (D-Bus).
  public enum Bus: String, Sendable, CaseIterable {
    /// MPRIS is off.
    case none
    /// The bus of a user's desktop session.
    case session
    /// The machine's bus.
    case system
  }

  /// The bus on which the radio is found.
  public var bus = Bus.none

  /// Creates settings without a bus.
  public init() {}

  mutating func read(_ table: TableReader) {
    bus = table.word("bus", Bus.self, hasFallback: true) ?? bus
    table.close()
  }
}
