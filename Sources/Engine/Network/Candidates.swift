import Units

/// How many lists may be opened in search of a station, and how long that may take in all.
struct ListBudget {
  /// The most lists.
  static let mostLists = 32
  /// The most time between asking for a list and its end, added up.
  static let mostTime = Duration(milliseconds: 30_000)
  /// The lists that `renew` allows: five that lead to a station, and one more.
  static let renewed = Candidates.deepest + 1

  /// Lists that came so far, the one that is being read counted.
  private(set) var count = 0
  private var time = Duration.zero
  /// When the list was asked for that is being read; nil where none is.
  private var asked: MonotonicTime?

  /// Notes that what was asked for at a moment is a list. Safe to call again while that is being read.
  mutating func begin(at asked: MonotonicTime) {
    guard self.asked == nil else { return }
    self.asked = asked
    count += 1
  }

  /// Notes that the list was read, or is given up.
  mutating func end(at now: MonotonicTime) {
    if let asked { time = time + (now - asked) }
    asked = nil
  }

  /// Whether the list that is being read is one too many, or takes too long.
  func isSpent(at now: MonotonicTime) -> Bool {
    count > Self.mostLists || time + (asked.map { now - $0 } ?? .zero) > Self.mostTime
  }

  /// Whether so many more lists may be opened.
  func affords(_ more: Int) -> Bool { more == 0 || count + more <= Self.mostLists && time <= Self.mostTime }

  /// Notes a feed: it counts as a list does, but not its time, since it may be long.
  mutating func countFeed() { count += 1 }

  /// Notes that the connection was closed while the list was read: neither the list nor its time counts.
  mutating func forget() {
    if asked != nil { count -= 1 }
    asked = nil
  }

  /// Allows a few more lists and the whole time again. For a station that has played, which is tried for ever: lists
  /// without end are not read faster than that.
  mutating func renew() {
    count = max(0, min(count, Self.mostLists) - Self.renewed)
    time = .zero
  }
}

/// The addresses that a station may be at, in the order in which they are tried.
///
/// A playlist's entries take the place of the playlist; a playlist in a playlist is opened five deep, and none twice.
struct Candidates {
  struct Candidate: Equatable {
    var address: WebAddress
    var title: String?
    /// Who named it; nil for the listener's own address.
    var referral: Referral?
    var depth = 0
    /// Its place in the list that was opened last.
    var item: Int?
  }

  private let root: Candidate
  private var waiting: [Candidate] = []
  private var opened: Set<StationAddress> = []
  /// The one being tried.
  private(set) var current: Candidate
  /// Where the station played last; nil before it played.
  private var played: Candidate?
  /// How many lists may still be opened.
  var budget = ListBudget()
  /// Lists opened since the listener's own address was tried last.
  private var openedCount = 0
  /// What has failed in this round and is no list.
  private var stations: [Candidate] = []
  /// Whether a station that has played is looked for behind its lists anew.
  private var isSearching = false

  static let deepest = 5
  /// So many stations are tried again where their lists may not be opened again.
  private static let mostStations = 32
  /// So many addresses wait at most, and so many bytes of them with their titles; the rest of what lists named first is
  /// left out.
  static let mostWaiting = 1_000
  static let mostWaitingBytes = 512 << 10

  /// The station at an address, which the listener gave unless it has a referral: then the lists that led to it count
  /// in `budget`, so that lists that name each other come to an end.
  init(_ address: WebAddress, _ referral: Referral? = nil, budget: ListBudget? = nil) {
    root = Candidate(address: address, referral: referral)
    current = root
    if referral != nil, let budget { self.budget = budget }
  }

  /// How many addresses wait to be tried.
  var waitingCount: Int { waiting.count }

  /// Whether `current` is what the listener named.
  var isRoot: Bool { current == root }

  /// Whether a list was opened since the listener's own address was tried last.
  var hasOpenedList: Bool { openedCount > 0 }

  /// Notes that the station plays at `current`.
  mutating func markPlayed() { (played, isSearching) = (current, false) }

  /// Begins another round: at the listener's own address or, where no more lists may be opened, at the stations that
  /// they named; false where there are none.
  mutating func restart() -> Bool {
    if budget.affords(openedCount) {
      returnToRoot()
      return true
    }
    (waiting, opened, stations) = (stations, [], [])
    return advance()
  }

  /// Goes on with a station that has played, after so many losses. It is tried where it played, and with each fourth
  /// loss at the listener's own address, with new lists. What these name is tried to its end, and where it played with
  /// each fourth loss: a list that is gone, or whose first entry is, does not keep it away.
  mutating func goOn(after losses: Int) {
    let (isFourth, isWhereItPlayed) = (losses % 4 == 0, current == played)
    if isSearching, !(isFourth && !isWhereItPlayed), advance() { return }
    if !isWhereItPlayed, let played {
      current = played
    } else if isFourth {
      budget.renew()
      returnToRoot()
      isSearching = true
    }
  }

  private mutating func returnToRoot() {
    (waiting, opened, stations) = ([], [], [])
    (current, openedCount) = (root, 0)
  }

  /// Puts a playlist's entries in its place, and moves to the first; false where none can be tried.
  mutating func open(_ entries: [(address: WebAddress, title: String?)], _ referral: Referral? = nil) -> Bool {
    opened.insert(current.address.url)
    openedCount += 1
    let depth = current.depth + 1
    guard depth <= Self.deepest else { return advance() }
    let fresh = entries.enumerated().filter { !opened.contains($1.address.url) }
      .map {
        Candidate(
          address: $1.address, title: $1.title ?? current.title, referral: referral, depth: depth, item: $0)
      }
    waiting = Self.bounded(fresh + waiting)
    return advance()
  }

  /// As many of the first as may wait.
  private static func bounded(_ all: [Candidate]) -> [Candidate] {
    var byteCount = 0
    let kept = all.prefix(mostWaiting).prefix { candidate in
      byteCount += candidate.address.url.byteCount + (candidate.title?.utf8.count ?? 0)
      return byteCount <= mostWaitingBytes
    }
    return Array(kept)
  }

  /// Tries nothing more of what lists named: `current` is one too many. Where the station has played, that address is
  /// the next.
  mutating func abandonLists() {
    opened.insert(current.address.url)
    waiting = []
    current = played ?? current
  }

  /// Moves to the next, since this one failed; false where there is none.
  mutating func next() -> Bool {
    let isStation = !opened.contains(current.address.url)
    if isStation, stations.count < Self.mostStations { stations.append(current) }
    return advance()
  }

  private mutating func advance() -> Bool {
    guard !waiting.isEmpty else { return false }
    current = waiting.removeFirst()
    return true
  }
}
