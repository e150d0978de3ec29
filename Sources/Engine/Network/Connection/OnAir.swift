import Units

/// The live position: the end of the data received by a live station's connection.
struct OnAir {
  var line: ConnectionID
  /// Time when the server's burst has arrived. After that, the last packet is the live one.
  var settled: MonotonicTime
  var lastData: MonotonicTime
  /// Seconds by which the last packet arrived late because its server had been paused.
  var lag = 0.0
  var time: StreamTime
}
