import Units

/// Turns the two contacts of a rotary encoder into steps.
///
/// The contacts follow Gray's code: high-high at rest, then clockwise A falls, B falls, A rises, B rises. A full-step
/// knob clicks once in that cycle, a half-step knob twice.
///
/// Contacts bounce, for 5 ms each time, and edges get lost, up to two in a click of a full-step knob. That may cost a
/// step; it is not to make one that goes the other way. What no rule can tell from a turn is chance that looks like
/// three clean clicks in a row. The first four rules give up (`isLost`) until both contacts have been quiet at rest:
///
/// - A contact that is told to be where it already was has lost an edge.
/// - Both contacts that change at once have lost one.
/// - A contact whose noise ends where it began has lost an edge, or turns back.
/// - Where the contacts' noises may overlap, any move to and fro could be a walk of chance around the circle. A spin
///   that is as fast as that (200 clicks/s) counts only while it goes straight on, not faster than a hand can, and not
///   soon after a loss.
/// - A click within 20 ms that could be two noises counts only after a slower one, or with the two that follow it.
/// - A last quarter that comes late may be the next click's, the other way.
public struct QuadratureDecoder: Sendable {
  /// How far the knob turns from click to click.
  public enum Detent: String, CaseIterable, Sendable {
    /// The whole cycle of four edges.
    case full
    /// Half of it; here a lost edge can look like another direction.
    case half
  }

  /// One of the two contacts.
  public enum Contact: Int, Sendable {
    /// The one that falls first clockwise.
    case a
    /// The other.
    case b
  }

  /// As long as a contact is noisy.
  static let noise = Duration(milliseconds: 5)
  /// As long as a contact stays at a level at the least, in the fastest spin.
  static let shortestLevel = Duration(nanoseconds: 1_500_000)
  /// As long as two contacts' noises can look like a click, and like one contact's part in it.
  static let doubtfulClick = Duration(milliseconds: 20)
  static let doubtfulLevel = Duration(nanoseconds: 7_500_000)
  /// As long as a loss, or a spin, is remembered while the knob rests.
  static let memory = Duration(milliseconds: 100)

  /// What a change of both levels means, four rows (from) of four (to): quarters of a cycle, clockwise positive; nil
  /// where the direction cannot be told. A level pair is A's level times two and B's.
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
  /// Where the knob turns, and the clicks kept back while that is in doubt.
  private var spin: (direction: Int, keptBack: Int)?
  /// After a loss, for a while: a fast spin does not count.
  private var isWary = false
  /// What this burst of edges has shown: a contact's to and fro, noises that overlap, and levels so short that they
  /// may.
  private var isReversed = false
  private var isOverlapped = false
  private var isHasty = false
  private var lastContact: Contact?
  private var lastEdge = MonotonicTime.zero
  /// When the cycle was begun, and when the other contact's turn came last.
  private var cycleStart = MonotonicTime.zero
  private var turnStart = MonotonicTime.zero
  /// The level pair before the last contact's present noise; nil once that is over at rest.
  private var origin: Int?
  /// When each contact's present noise began.
  private var noiseStart: [MonotonicTime?] = [nil, nil]

  /// A knob at rest.
  public init(detent: Detent = .full) { self.detent = detent }

  /// Takes one contact's edge; gives the steps that it completes, clockwise positive: mostly none, or one.
  public mutating func edge(_ contact: Contact, isHigh: Bool, at moment: MonotonicTime) -> Int {
    let bit = contact == .a ? 2 : 1
    return take(contact, isHigh ? levels | bit : levels & ~bit, at: moment)
  }

  private var isAtRest: Bool { levels == 3 || (detent == .half && levels == 0) }

  private mutating func take(_ contact: Contact, _ next: Int, at moment: MonotonicTime) -> Int {
    let now = max(lastEdge, moment)
    if lastContact == nil || now - lastEdge > Self.noise { beginAnew(at: now) }
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

  /// After quiet all is new: what was lost is found again at rest.
  private mutating func beginAnew(at now: MonotonicTime) {
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
      // The other one's noise went back to where it began.
      if origin == levels { lose() }
      if let start, now - start <= Self.doubtfulLevel { isHasty = true }
      if isNoisy {
        isOverlapped = true
        if let start, now - start < Self.shortestLevel { lose() }
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

  /// Whether the last quarter came so much later than the others that it could belong to the next click.
  private func isStale(_ third: MonotonicTime, _ fourth: MonotonicTime) -> Bool {
    let (cycle, last) = ((third - cycleStart).nanoseconds, (fourth - third - Self.noise).nanoseconds)
    return last > cycle + cycle / 4
  }
}
