import Units

/// The steady audio required before a return, by the fate of earlier returns. A value.
struct ReturnTrust: Equatable {
  /// Required duration of steady audio.
  private(set) var wait: Duration
  private let least: Duration
  private var lastReturn: MonotonicTime?
  private var lastFailure: MonotonicTime?
  /// The last returns and failures of the first choice.
  private var changes: [MonotonicTime] = []

  init(_ least: Duration = .zero) { (wait, self.least) = (least, least) }

  /// True if the first choice has returned and not failed since.
  var hasReturned: Bool { lastReturn != nil }

  /// Records a return. The report of the audible first choice may follow, and is not another change.
  mutating func recordReturn(at now: MonotonicTime) {
    if lastReturn == nil { record(now) }
    lastReturn = now
  }

  /// Records that the first choice failed: the required time doubles after a recent return.
  mutating func recordFailure(at now: MonotonicTime) {
    if let lastFailure, now - lastFailure >= ContinuityRules.memory { wait = least }
    if let lastReturn, now - lastReturn < ContinuityRules.proof {
      wait = min(ContinuityRules.maxReturn, max(wait + wait, ContinuityRules.minRetry))
    }
    (lastReturn, lastFailure) = (nil, now)
    record(now)
  }

  /// True if a return and another failure stay within the permitted changes of an hour.
  func permitsReturn(at now: MonotonicTime) -> Bool {
    changes.count { now - $0 < ContinuityRules.memory } <= ContinuityRules.maxChanges - 2
  }

  private mutating func record(_ now: MonotonicTime) {
    changes = changes.suffix(ContinuityRules.maxChanges - 1) + [now]
  }
}
