import PanelWords
import Units

/// A search in the station directory: the open lists, each with its cursor. A value; the caller passes the time.
struct Find: Sendable {
  enum Key: Equatable {
    case turn(Int)
    case select
    case keep
    case back
  }

  enum Outcome: Equatable {
    /// The search continues; the orders must be carried out.
    case continues([PanelOrder])
    case left
    /// The search is finished: the chosen station plays.
    case over
  }

  /// Time until the lists close without input, long enough to listen to a station.
  static let stay = Duration(milliseconds: 60_000)
  /// Maximum length of a name spelt by letters.
  private static let maxNameLength = 64
  /// Maximum steps per detent: about sixty detents pass through any list.
  private static let maxAcceleration = 8
  private static let fastestReach = 480

  private var pages = [FindPage(list: .start)]
  private var knob = KnobAcceleration(most: maxAcceleration)
  private(set) var end: MonotonicTime

  init(at now: MonotonicTime) { end = now + Self.stay }

  var page: FindPage { pages.last ?? FindPage(list: .start) }

  var request: FindRequest { FindRequest(page.list, cursor: page.cursor) }

  mutating func process(_ key: Key, _ answer: FindAnswer?, at now: MonotonicTime) -> Outcome {
    touch(at: now)
    guard let entries = FindEntries(page, answer) else {
      return processWithoutEntries(key, answer)
    }
    let entry = entries[entries.cursor]
    switch key {
    case .turn(let clicks): turn(clicks, entries, now)
    case .back: return back()
    case .keep:
      if case .row(let row) = entry, case .station(let rank) = row.target { return .continues([.keepFound(rank)]) }
    case .select:
      switch entry {
      case .back: return back()
      case .start(let list): open(list)
      case .row(let row):
        switch row.target {
        case .list(let list): open(list)
        case .station where row.isTuned: return .over
        case .station(let rank): return .continues([.playFound(rank)])
        }
      case nil: break
      }
    }
    return .continues([])
  }

  /// A press downloads a missing directory, or else goes back.
  private mutating func processWithoutEntries(_ key: Key, _ answer: FindAnswer?) -> Outcome {
    switch (key, answer) {
    case (.keep, .opening), (.keep, .rows), (.keep, nil): .continues([])
    case (.back, _), (.keep, _): back()
    case (.select, .absent(.unasked)), (.select, .absent(.failed)), (.select, .damaged): .continues([.fetchDirectory])
    case (.select, .absent(.byHand)), (.select, .fetching): back()
    case (.select, .opening), (.select, .rows), (.select, nil), (.turn, _): .continues([])
    }
  }

  /// Extends the time until the search closes.
  mutating func touch(at now: MonotonicTime) { end = now + Self.stay }

  private mutating func open(_ list: FindList) {
    if pages.count < Self.maxNameLength { pages.append(FindPage(list: list)) }
  }

  private mutating func back() -> Outcome {
    if pages.count == 1 { return .left }
    pages.removeLast()
    return .continues([])
  }

  /// A single step wraps around the ends of the list; several steps stop there.
  private mutating func turn(_ clicks: Int, _ entries: FindEntries, _ now: MonotonicTime) {
    let clicks = max(-100, min(100, clicks))
    var steps = knob.steps(for: clicks, at: now)
    if abs(steps) >= Self.maxAcceleration * abs(clicks) { steps *= max(1, entries.count / Self.fastestReach) }
    let place = entries.cursor + steps
    let isAround = abs(steps) == 1 && !(0..<entries.count).contains(place)
    let cursor = isAround ? (steps > 0 ? 0 : entries.count - 1) : max(0, min(entries.count - 1, place))
    pages[pages.count - 1].cursor = cursor
  }
}

extension Find.Key {
  /// The key for an input; nil if the input has its usual meaning.
  ///
  /// The knob's long press, `mode` on most boards, stores a station here.
  init?(_ input: PanelInput) {
    switch input {
    case .turn(let clicks, nil), .turn(let clicks, .tune?): self = .turn(clicks)
    case .action(.next), .action(.down): self = .turn(1)
    case .action(.previous), .action(.up): self = .turn(-1)
    case .action(.select): self = .select
    case .action(.mode), .action(.keep): self = .keep
    case .action(.menu): self = .back
    default: return nil
    }
  }
}
