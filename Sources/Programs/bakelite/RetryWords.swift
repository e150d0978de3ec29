/// Which words about tries to reach a station are worth a line of their own: each cause when it is new, then at growing
/// pauses.
struct RetryWords {
  private struct Known {
    /// When it was heard of last, and told last.
    var heard: Double
    var told: Double
    /// How long nothing is told of it after that.
    var pause: Double
  }

  private var causes: [String: Known] = [:]

  /// The pauses, in seconds: each is twice as long as the one before it.
  private static let (shortest, longest) = (10.0, 600.0)
  /// What was not heard of for so many seconds is new again.
  private static let memory = 120.0
  /// A station that always fails in another way is told of now and then all the same.
  private static let most = 32

  /// Whether a cause is told now; figures in it change from try to try, and do not count.
  mutating func isTold(_ words: String, at time: Double) -> Bool {
    let cause = words.filter { !$0.isNumber }
    causes = causes.filter { time - $0.value.heard < Self.memory }
    guard var known = causes[cause] else {
      if causes.count < Self.most { causes[cause] = Known(heard: time, told: time, pause: Self.shortest) }
      return causes[cause] != nil
    }
    known.heard = time
    let isDue = time - known.told >= known.pause
    if isDue { (known.told, known.pause) = (time, min(Self.longest, known.pause * 2)) }
    causes[cause] = known
    return isDue
  }
}
