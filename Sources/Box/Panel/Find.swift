import PanelWords
import Units

/// The search for a station in the directory: the lists that were opened, each with its cursor. A value that is told
/// the time.
struct Find: Sendable {
  /// What a gesture means in a list.
  enum Key: Equatable {
    case turn(Int)
    case select
    case keep
    case back
  }

  /// What becomes of the search.
  enum Outcome: Equatable {
    /// It goes on, and that is to be done.
    case goesOn([PanelOrder])
    /// It is left for the menu.
    case left
    /// It is over: the station is heard that was sought.
    case over
  }

  /// A list that was opened.
  struct Page: Equatable {
    let list: FindList
    /// Nil until it is moved.
    var cursor: Int?
  }

  /// So long the lists stay after the last touch: time enough to listen to a station.
  static let stay = Duration(milliseconds: 60_000)
  /// A name that is spelt in letters is no longer than that.
  private static let deepest = 64
  /// The fastest turn goes through any list in about sixty clicks.
  private static let fastest = 8
  private static let fastestReach = 480

  private var pages = [Page(list: .start)]
  private var knob = KnobAcceleration(most: fastest)
  /// When it ends by itself.
  private(set) var end: MonotonicTime

  /// A search that begins.
  init(at now: MonotonicTime) { end = now + Self.stay }

  /// The list that is open.
  var page: Page { pages.last ?? Page(list: .start) }

  /// What has to be known to show it.
  var request: FindRequest { FindRequest(page.list, cursor: page.cursor) }

  /// Takes what a hand did, of the list that is shown.
  mutating func take(_ key: Key, _ answer: FindAnswer?, at now: MonotonicTime) -> Outcome {
    touch(at: now)
    guard let entries = FindEntries(page, answer) else {
      if key == .back || key == .select && answer != .opening { return back() }
      return .goesOn([])
    }
    let entry = entries[entries.cursor]
    switch key {
    case .turn(let clicks): turn(clicks, entries, now)
    case .back: return back()
    case .keep:
      if case .row(let row) = entry, case .station(let rank) = row.target { return .goesOn([.keepFound(rank)]) }
    case .select:
      switch entry {
      case .back: return back()
      case .start(let list): open(list)
      case .row(let row):
        switch row.target {
        case .list(let list): open(list)
        case .station where row.isTuned: return .over
        case .station(let rank): return .goesOn([.hear(rank)])
        }
      case nil: break
      }
    }
    return .goesOn([])
  }

  /// Stays open longer.
  mutating func touch(at now: MonotonicTime) { end = now + Self.stay }

  private mutating func open(_ list: FindList) {
    if pages.count < Self.deepest { pages.append(Page(list: list)) }
  }

  /// One list back, where its cursor stood.
  private mutating func back() -> Outcome {
    if pages.count == 1 { return .left }
    pages.removeLast()
    return .goesOn([])
  }

  /// One step goes around the list's ends, more stop there.
  private mutating func turn(_ clicks: Int, _ entries: FindEntries, _ now: MonotonicTime) {
    let clicks = max(-100, min(100, clicks))
    var steps = knob.steps(for: clicks, at: now)
    if abs(steps) >= Self.fastest * abs(clicks) { steps *= max(1, entries.count / Self.fastestReach) }
    let place = entries.cursor + steps
    let isAround = abs(steps) == 1 && !(0..<entries.count).contains(place)
    let cursor = isAround ? (steps > 0 ? 0 : entries.count - 1) : max(0, min(entries.count - 1, place))
    pages[pages.count - 1].cursor = cursor
  }
}

extension Find.Key {
  /// What an input means while stations are sought; nil where it means what it always does.
  ///
  /// The knob's long press is `mode` on most boards: that keeps a station here.
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
