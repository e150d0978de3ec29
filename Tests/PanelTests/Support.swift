import Panel
import Units
import SeededRandom

extension MonotonicTime {
  static func ms(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }
}
