import Units

/// The audio that the current connection of a live station has delivered.
struct Reception {
  var delivered: StreamTime
  /// Bytes of the delivered packets; nil if unknown.
  var byteCount: Int? = nil
  /// False while the server is paused, or while no audio is requested.
  var isActive: Bool

  /// Measured bit rate in bit/s; nil before enough audio.
  var bitRate: Int? {
    guard let byteCount, delivered >= Self.minAudio else { return nil }
    return BitRate(ByteCount(byteCount), over: delivered)?.bitsPerSecond
  }

  private static let minAudio = StreamTime(seconds: 2)
}
