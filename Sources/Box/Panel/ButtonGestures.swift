import PanelWords
import Units

/// How long the gestures of a button take.
private enum GestureTiming {
  /// A level counts once it has stood so long.
  static let debounce = Duration(milliseconds: 10)
  /// Held so long, a press is a long one; three times as long where the button repeats as well.
  static let long = Duration(milliseconds: 700)
  /// The second press begins within this time of the first one's end.
  static let double = Duration(milliseconds: 300)
  /// Held so long, it begins to repeat.
  static let hold = Duration(milliseconds: 500)
  /// From one repeat to the next.
  static let period = Duration(milliseconds: 150)
}

/// Turns the edges of one button into gestures.
///
/// A gesture is told as early as the others that the button cares for allow: a press at once where there is nothing to
/// wait for but repeats; on release where a long one is possible; after the time for a second one where that is.
public struct ButtonGestures: Sendable {
  private enum Phase {
    case up
    case down(since: MonotonicTime)
    /// Held, and next told so at a moment.
    case repeating(next: MonotonicTime, since: MonotonicTime)
    /// All is told, until it is released.
    case spent
    /// Released, perhaps to be pressed again.
    case between(end: MonotonicTime)
  }

  private let wanted: Set<Gesture>
  private var phase = Phase.up
  private var isDown = false
  /// A level that has not stood long enough.
  private var pending: (isDown: Bool, since: MonotonicTime, due: MonotonicTime)?
  private var now = MonotonicTime.zero

  /// A button that is up, and the gestures that mean something on it.
  public init(_ wanted: Set<Gesture>) { self.wanted = wanted }

  /// When `advance` has something to do; `never` while nothing happens without an edge.
  public var nextChange: MonotonicTime {
    var moment = pending?.due ?? .never
    switch phase {
    case .up, .spent: break
    case .down(let since):
      if wanted.contains(.long) { moment = min(moment, since + longAfter) }
      if wanted.contains(.repeated) { moment = min(moment, since + GestureTiming.hold) }
    case .repeating(let next, let since):
      moment = min(moment, next, wanted.contains(.long) ? since + longAfter : .never)
    case .between(let end): moment = min(moment, end)
    }
    return moment
  }

  /// Takes an edge of the contact, at the moment that the kernel gave it; tells what is over by then.
  public mutating func edge(isDown level: Bool, at moment: MonotonicTime) -> [Gesture] {
    var gestures = advance(to: moment)
    if level == isDown {
      pending = nil
    } else {
      pending = (level, now, now + GestureTiming.debounce)
      gestures += advance(to: now)
    }
    return gestures
  }

  /// Lets time pass; what should have repeated while nobody asked is told once.
  public mutating func advance(to moment: MonotonicTime) -> [Gesture] {
    var gestures: [Gesture] = []
    if let change = pending, change.due <= moment {
      gestures += pass(to: change.since)
      pending = nil
      isDown = change.isDown
      gestures += isDown ? goDown(at: change.since) : goUp(at: change.since)
    }
    return gestures + pass(to: moment)
  }

  private var longAfter: Duration {
    Duration(nanoseconds: GestureTiming.long.nanoseconds * (wanted.contains(.repeated) ? 3 : 1))
  }

  private var actsAtOnce: Bool { !wanted.contains(.long) && !wanted.contains(.double) }

  private func tell(_ gesture: Gesture) -> [Gesture] { wanted.contains(gesture) ? [gesture] : [] }

  private mutating func goDown(at moment: MonotonicTime) -> [Gesture] {
    if case .between = phase {
      phase = .spent
      return tell(.double)
    }
    phase = .down(since: moment)
    return actsAtOnce ? tell(.press) : []
  }

  private mutating func goUp(at moment: MonotonicTime) -> [Gesture] {
    defer { if case .between = phase {} else { phase = .up } }
    guard case .down = phase, !actsAtOnce else { return [] }
    guard wanted.contains(.double) else { return tell(.press) }
    phase = .between(end: moment + GestureTiming.double)
    return []
  }

  private mutating func pass(to moment: MonotonicTime) -> [Gesture] {
    now = max(now, moment)
    switch phase {
    case .down(let since) where wanted.contains(.repeated) && now >= since + GestureTiming.hold:
      phase = .repeating(next: max(now, since + GestureTiming.hold) + GestureTiming.period, since: since)
      return [.repeated] + pass(to: now)
    case .down(let since), .repeating(_, let since):
      if wanted.contains(.long), now >= since + longAfter {
        phase = .spent
        return [.long]
      }
      guard case .repeating(let next, _) = phase, now >= next else { return [] }
      phase = .repeating(next: now + GestureTiming.period, since: since)
      return [.repeated]
    case .between(let end) where now >= end:
      phase = .up
      return tell(.press)
    default: return []
    }
  }
}
