import Units

/// Turns the two contacts of a rotary encoder into steps.
///
/// The contacts follow a Gray code: both high at rest, then clockwise A falls, B falls, A rises, B rises. A full-step
/// knob has one detent in this cycle, a half-step knob two.
///
/// Contacts bounce for up to 5 ms per edge, and edges get lost, up to two per detent of a full-step knob. This may cost
/// a step but must not cause a step in the wrong direction. Only noise that looks like three clean detents in a row
/// cannot be distinguished from a turn. Under the first four rules the decoder waits (`isLost`) until both contacts are
/// quiet at rest:
///
/// - A contact reported at its known level has lost an edge.
/// - Two contacts that change at once have lost an edge.
/// - A contact whose bouncing ends at its old level has lost an edge, or turns back.
/// - When the contacts' bouncing may overlap, it could walk around the cycle by chance. A turn of that speed (200
///   detents/s) counts only while it has one direction, is not faster than a hand, and is not soon after a loss.
/// - A detent within 20 ms that could be two bounces counts only after a slower one, or with the next two.
/// - A late last quarter may belong to the next detent in the other direction.
public struct QuadratureDecoder: Sendable {
  /// The rotation between two detents.
  public enum Detent: String, CaseIterable, Sendable {
    /// The whole cycle of four edges.
    case full
    /// Half a cycle; here a lost edge can look like the other direction.
    case half
  }

  /// One of the two contacts.
  public enum Contact: Int, Sendable {
    /// The contact that falls first when turned clockwise.
    case a
    case b
  }

  /// Maximum time of bouncing.
  static let noise = Duration(milliseconds: 5)
  /// Minimum time of a level, in the fastest turn.
  static let minLevelDuration = Duration(nanoseconds: 1_500_000)
  /// Maximum time in which the bouncing of two contacts can look like a detent.
  static let doubtfulClick = Duration(milliseconds: 20)
  static let doubtfulLevel = Duration(nanoseconds: 7_500_000)
  /// Time that a loss or a fast turn is remembered at rest.
  static let memory = Duration(milliseconds: 100)

  /// The movement for a pair of old and new levels (rows: old): quarters of a cycle, clockwise positive; nil if the
  /// direction is unknown. A level pair is twice A's level plus B's.
  static let table: [Int?] = [
    0, -1, +1, nil,  // from low, low
    +1, 0, nil, -1,  // from low, high
    -1, nil, 0, +1,  // from high, low
    nil, +1, -1, 0,  // from high, high
  ]

  private let detent: Detent
  /// High is open, as with a pull-up.
  private var levels = 3
  /// Quarters since the last rest.
  private var progress = 0
  private var isLost = true
  /// The current direction, and the detents held back while it is uncertain.
  private var spin: (direction: Int, keptBack: Int)?
  /// True for a while after a loss: fast turns do not count.
  private var isWary = false
  /// Observations in this burst of edges: a reversed contact, overlapping bounces, and levels short enough to overlap.
  private var isReversed = false
  private var isOverlapped = false
  private var isHasty = false
  private var lastContact: Contact?
  private var lastEdge = MonotonicTime.zero
  /// Start of the cycle, and time of the other contact's last change.
  private var cycleStart = MonotonicTime.zero
  private var turnStart = MonotonicTime.zero
  /// The level pair before the current bouncing; nil after a rest.
  private var origin: Int?
  private var noiseStart: [MonotonicTime?] = [nil, nil]

  /// Creates a knob at rest.
  public init(detent: Detent = .full) { self.detent = detent }

  /// Processes an edge; returns the completed steps, clockwise positive, usually 0 or 1.
  public mutating func edge(_ contact: Contact, isHigh: Bool, at moment: MonotonicTime) -> Int {
    let bit = contact == .a ? 2 : 1
    return process(contact, isHigh ? levels | bit : levels & ~bit, at: moment)
  }

  private var isAtRest: Bool { levels == 3 || (detent == .half && levels == 0) }

  private mutating func process(_ contact: Contact, _ next: Int, at moment: MonotonicTime) -> Int {
    let now = max(lastEdge, moment)
    if lastContact == nil || now - lastEdge > Self.noise { reset(at: now) }
    let third = turnStart
    watch(contact, at: now)
    if isAtRest { cycleStart = now }
    let quarters = Self.table[levels * 4 + next]
    if next == levels || quarters == nil { lose() }
    progress += quarters ?? 0
    levels = next
    guard isAtRest else { return 0 }
    defer { progress = 0 }
    guard !isLost, abs(progress) == (detent == .full ? 4 : 2) else { return 0 }
    if detent == .full, isStale(third, now) { return 0 }
    return count(progress.signum(), isDoubtful: isHasty && now - cycleStart < Self.doubtfulClick)
  }

  private mutating func count(_ step: Int, isDoubtful: Bool) -> Int {
    let isOn = spin?.direction == step
    let keptBack = isOn ? spin?.keptBack ?? 0 : 0
    let isProven = !isDoubtful || (isOn && keptBack == 0) || keptBack == 2
    spin = (step, isProven ? 0 : keptBack + 1)
    return isProven ? step * (keptBack + 1) : 0
  }

  private mutating func lose() {
    spin = nil
    isLost = true
    isWary = true
  }

  /// Resets the state after quiet: losses are recovered at rest.
  private mutating func reset(at now: MonotonicTime) {
    isReversed = false
    isOverlapped = false
    isHasty = false
    noiseStart = [nil, nil]
    guard isAtRest else { return }
    origin = nil
    if now - lastEdge > Self.memory {
      isWary = false
      spin = nil
    }
    if isLost { progress = 0 }
    isLost = false
  }

  private mutating func watch(_ contact: Contact, at now: MonotonicTime) {
    let start = noiseStart[contact.rawValue]
    let isNoisy = start.map { now - $0 <= Self.noise } ?? false
    if contact != lastContact {
      // The other contact's bouncing ended at its old level.
      if origin == levels { lose() }
      if let start, now - start <= Self.doubtfulLevel { isHasty = true }
      if isNoisy {
        isOverlapped = true
        if let start, now - start < Self.minLevelDuration { lose() }
      }
      turnStart = now
    } else if isNoisy {
      isReversed = true
    } else if progress != 0 {
      lose()
    }
    if !isNoisy || contact != lastContact {
      noiseStart[contact.rawValue] = now
      origin = levels
    }
    if isOverlapped, isReversed || isWary { lose() }
    lastContact = contact
    lastEdge = now
  }

  /// True if the last quarter came so late that it may belong to the next detent.
  private func isStale(_ third: MonotonicTime, _ fourth: MonotonicTime) -> Bool {
    let (cycle, last) = ((third - cycleStart).nanoseconds, (fourth - third - Self.noise).nanoseconds)
    return last > cycle + cycle / 4
  }
}
