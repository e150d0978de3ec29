import Units

/// The connections that are tried beside a silent one (R2.4), two at most.
///
/// A try is followed by the next one a second later. The newest gives way to it, so that a network which is back is
/// found within a second. The one before that is kept for some seconds more: a server that needs them to answer would
/// else be cut off each time, and never heard.
struct Spares {
  /// The one tried last.
  private(set) var newest: Reception?
  /// An older one that may still answer.
  private(set) var kept: Reception?

  /// So long a try is awaited before there is another.
  static let pause = MonotonicTime(milliseconds: 1_000)
  /// So long one is kept while it brings nothing, and while it brings no audio.
  static let patience = MonotonicTime(milliseconds: 5_000)
  static let longestPatience = MonotonicTime(milliseconds: 15_000)

  /// Whether there is none.
  var isEmpty: Bool { newest == nil && kept == nil }

  /// All of them, the one that is likely to answer first.
  var all: [Reception] { [kept, newest].compactMap { $0 } }

  /// Whether a connection is one of them.
  func contains(_ reception: Reception) -> Bool { reception === newest || reception === kept }

  /// Takes another one; the one that gave way to it has to be closed.
  mutating func add(_ reception: Reception, at now: MonotonicTime) -> Reception? {
    defer { newest = reception }
    guard let newest else { return nil }
    if let kept, isWorthKeeping(kept, beside: newest, at: now) { return newest }
    defer { kept = newest }
    return kept
  }

  private func isWorthKeeping(_ kept: Reception, beside newest: Reception, at now: MonotonicTime) -> Bool {
    now - kept.lastData <= Self.patience && now - kept.began <= Self.longestPatience
      && (kept.hasAsked || !newest.hasAsked)
  }

  /// Lets one go that took the other's place, or ended.
  mutating func remove(_ reception: Reception) {
    if reception === newest { newest = nil }
    if reception === kept { kept = nil }
  }
}
