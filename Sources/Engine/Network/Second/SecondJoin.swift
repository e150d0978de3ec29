import Units

/// Place of a second connection's packets among the buffered packets.
enum SecondJoin: Equatable {
  /// The packets after the buffered ones were appended. `overlap`: duration of the repeated packets.
  case joined(overlap: StreamTime)
  /// All packets are buffered already.
  case behind
  /// Other packets, or packets without a proof.
  case unknown
}
