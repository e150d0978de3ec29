import Units

/// Interval of checks for room while a server is paused: short after a sink consumed audio at full speed.
struct PausePace {
  private var aheadAtPause = StreamTime.zero
  /// True if more than half of the audio buffered at the start of the pause was consumed during the pause.
  private var isOutrun = false
  private var checkCount = 0
  /// After that many quick checks without room, the sink does not count as fast any more.
  private static let maxQuickChecks = 40

  var interval: Duration { Duration(milliseconds: isOutrun && checkCount < Self.maxQuickChecks ? 5 : 100) }

  mutating func recordCheck() { checkCount += 1 }

  /// Records a pause. `ahead`: undecoded audio, less than the limit if a full ring caused the pause.
  mutating func pause(ahead: StreamTime) { (aheadAtPause, checkCount) = (ahead, 0) }

  mutating func resume(ahead: StreamTime) { isOutrun = ahead.ticks < aheadAtPause.ticks / 2 }
}
