import Units

/// A moment of the tests: so many seconds after their first one.
func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: 1_000 + seconds) }
