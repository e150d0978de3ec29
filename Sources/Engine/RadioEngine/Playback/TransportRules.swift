import Network
import Units

/// The settings that `Transport` applies.
struct TransportRules: Equatable {
  /// Buffer that stays after a return to live.
  var safety: StreamTime
  var hold: HoldRule
  /// Maximum pause before the connection of a live station is closed; zero for no limit.
  var pauseTimeout: Duration
}
