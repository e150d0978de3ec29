import Units

/// Place of a second connection's packets among the buffered packets.
enum SecondJoin: Equatable {
  /// The packets after the buffered ones were appended. `overlap`: duration of the repeated packets. `after`: duration
  /// of a dropped pre-roll before them.
  case joined(overlap: StreamTime, after: StreamTime)
  /// All packets are buffered already.
  case behind
  /// Other packets, or packets without a proof.
  case unknown
}
