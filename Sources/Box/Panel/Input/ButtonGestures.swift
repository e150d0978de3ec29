import PanelWords
import Units

private enum GestureTiming {
  /// Time after which a level counts.
  static let debounce = Duration(milliseconds: 10)
  /// Duration of a long press; three times as long if the button repeats as well.
  static let long = Duration(milliseconds: 700)
  /// Maximum time between the end of a press and the second press.
  static let double = Duration(milliseconds: 300)
  /// Time after which a held button starts to repeat.
  static let hold = Duration(milliseconds: 500)
  /// Time between two repeats.
  static let period = Duration(milliseconds: 150)
}

/// Turns the edges of one button into gestures.
///
/// A gesture is reported as early as the button's other gestures allow: a press at once if it conflicts only with
/// repeats; on release if a long press is possible; after the time for a second press if a double press is possible.
public struct ButtonGestures: Sendable {
  private enum Phase {
    case up
    case down(since: MonotonicTime)
    /// Held; `next`: time of the next repeat.
    case repeating(next: MonotonicTime, since: MonotonicTime)
    /// Everything is reported, until release.
    case spent
    /// Released, perhaps before a second press.
    case between(end: MonotonicTime)
  }

  private let wanted: Set<Gesture>
  private var phase = Phase.up
  private var isDown = false
  /// A level that has not been stable long enough.
  private var pending: (isDown: Bool, since: MonotonicTime, due: MonotonicTime)?
  private var now = MonotonicTime.zero

  /// Creates a released button; `wanted`: the gestures with an action.
  public init(_ wanted: Set<Gesture>) { self.wanted = wanted }

  /// Time of the next `advance`; `never` if nothing happens without an edge.
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

  /// Processes an edge of the contact with the kernel's time stamp; returns the gestures up to then.
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

  /// Advances the time. Missed repeats are reported once.
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

  private func report(_ gesture: Gesture) -> [Gesture] { wanted.contains(gesture) ? [gesture] : [] }

  private mutating func goDown(at moment: MonotonicTime) -> [Gesture] {
    if case .between = phase {
      phase = .spent
      return report(.double)
    }
    phase = .down(since: moment)
    return actsAtOnce ? report(.press) : []
  }

  private mutating func goUp(at moment: MonotonicTime) -> [Gesture] {
    defer { if case .between = phase {} else { phase = .up } }
    guard case .down = phase, !actsAtOnce else { return [] }
    guard wanted.contains(.double) else { return report(.press) }
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
      return report(.press)
    default: return []
    }
  }
}
