import Units

/// What is on the air now: the end of what a live station's connection has brought.
struct OnAir {
  /// The connection.
  var line: LineID
  /// When the server's burst has come, so that the last packet is what is on the air.
  var settled: MonotonicTime
  /// When bytes came last.
  var lastData: MonotonicTime
  /// Seconds by which the last packet came late because we had let the server wait.
  var lag = 0.0
  /// The time of the packet that comes next.
  var time: StreamTime
}
