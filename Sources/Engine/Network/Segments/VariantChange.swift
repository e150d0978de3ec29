import Units

/// A requested variant of an HLS station, until its list arrives or fails (F6).
struct VariantChange {
  private var former: Candidates.Candidate?
  /// Time at which the list is given up; `never` without a pending change.
  private(set) var due = MonotonicTime.never

  /// Maximum time to the list, without audio of either variant.
  private static let maxTime = Duration(seconds: 5)

  var isPending: Bool { former != nil }

  /// Selects a variant, whose list must be requested next. Returns false for another source.
  mutating func begin(_ variant: Candidates.Candidate, in search: StationSearch, at now: MonotonicTime) -> Bool {
    guard let current = search.candidate, search.isVariant(variant) else { return false }
    former = former ?? current
    due = now + Self.maxTime
    search.select(variant)
    return true
  }

  /// Records the list of the variant. Returns false without a pending change.
  mutating func complete(in search: StationSearch) -> Bool {
    guard former.take() != nil else { return false }
    due = .never
    search.recordPlayingAddress()
    return true
  }

  /// Returns to the former variant. Returns false without a pending change.
  mutating func cancel(in search: StationSearch, at now: MonotonicTime) -> Bool {
    guard let former = former.take() else { return false }
    due = .never
    if let failed = search.address?.url { search.rates.recordFailure(of: failed, at: now) }
    search.select(former)
    return true
  }
}
