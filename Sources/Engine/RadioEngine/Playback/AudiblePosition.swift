import Units

/// The position that the listener hears now.
struct AudiblePosition: Equatable {
  var seek: UInt32
  /// Stream time of the audio that leaves the card now.
  var at: StreamTime
  /// Duration of the programme written to the sink.
  var played: StreamTime
}
