import Units

/// A test moment, in seconds after the first.
func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: 1_000 + seconds) }
