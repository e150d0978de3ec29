import Units

/// The ads of the first choice that a fallback replaced (B4). A value.
struct AdReplacements: Equatable {
  /// True if the first choice has been received since its ad began.
  var isContinuous = false
  /// The earliest time of the next replacement; nil for any time.
  private var next: MonotonicTime?
  private var starts: [MonotonicTime] = []

  /// True if an ad may be replaced: marks that follow each other cause few changes.
  func permits(at now: MonotonicTime) -> Bool {
    let recent = starts.count { now - $0 < ContinuityRules.memory }
    return recent < ContinuityRules.maxAds && next.map { now >= $0 } != false
  }

  mutating func start(at now: MonotonicTime) {
    isContinuous = true
    starts = starts.suffix(ContinuityRules.maxAds - 1) + [now]
  }

  /// Records a return. `hasFailed`: true if the ad is heard, because its fallback had no audio or the ad is too long.
  mutating func end(at now: MonotonicTime, hasFailed: Bool) {
    next = now + (hasFailed ? ContinuityRules.proof : ContinuityRules.minAdInterval)
  }

  func isTooLong(at now: MonotonicTime) -> Bool {
    starts.last.map { now - $0 >= ContinuityRules.maxAdLength } == true
  }
}
