import Http
import Units

struct ListBudget {
  static let maxLists = 32
  /// Maximum total time of all lists. The time of a list lasts from its request to its end.
  static let maxTime = Duration(milliseconds: 30_000)
  /// Number of lists allowed by `renew`: five nested lists that lead to a station, and one more.
  static let renewedLists = Candidates.maxDepth + 1

  private(set) var count = 0
  private var time = Duration.zero
  private var requestTime: MonotonicTime?

  mutating func begin(at asked: MonotonicTime) {
    guard self.requestTime == nil else { return }
    self.requestTime = asked
    count += 1
  }

  mutating func end(at now: MonotonicTime) {
    if let requestTime { time = time + (now - requestTime) }
    requestTime = nil
  }

  func isSpent(at now: MonotonicTime) -> Bool {
    count > Self.maxLists || time + (requestTime.map { now - $0 } ?? .zero) > Self.maxTime
  }

  func allows(_ more: Int) -> Bool { more == 0 || count + more <= Self.maxLists && time <= Self.maxTime }

  /// Counts a feed like a list, but without its time: a feed may be long.
  mutating func countFeed() { count += 1 }

  /// Drops the current list and its time from the count, since its connection was closed.
  mutating func cancelList() {
    if requestTime != nil { count -= 1 }
    requestTime = nil
  }

  /// Allows `renewedLists` more lists, and the whole time again. The small number slows down endless lists while a
  /// station is retried.
  mutating func renew() {
    count = max(0, min(count, Self.maxLists) - Self.renewedLists)
    time = .zero
  }
}

/// The addresses of a station in the order of the tries. Each playlist is opened once, at most five levels deep.
struct Candidates {
  struct Candidate: Equatable {
    var address: WebAddress
    var title: String?
    var referral: AddressOrigin?
    var depth = 0
    var item: Int?
  }

  private let root: Candidate
  private var waiting: [Candidate] = []
  private var opened: Set<StationAddress> = []
  private(set) var current: Candidate
  private var played: Candidate?
  var budget = ListBudget()
  /// Lists opened since the last try of the listener's own address.
  private var openedCount = 0
  /// Addresses that failed in this round and are not lists.
  private var stations: [Candidate] = []
  /// True while a station that has played is searched through its lists again.
  private var isSearching = false

  static let maxDepth = 5
  /// Maximum number of stations that are retried if their lists may not be opened again.
  private static let maxStations = 32
  /// Maximum number of waiting addresses, and maximum bytes of these addresses and their titles. The last addresses are
  /// dropped.
  static let maxWaiting = 1_000
  static let maxWaitingBytes = 512 << 10

  /// Creates the candidates for an address. `budget`: counts the lists that led to a referral, so that cycles end.
  init(_ address: WebAddress, _ referral: AddressOrigin? = nil, budget: ListBudget? = nil) {
    root = Candidate(address: address, referral: referral)
    current = root
    if referral != nil, let budget { self.budget = budget }
  }

  var waitingCount: Int { waiting.count }

  var isRoot: Bool { current == root }

  var hasOpenedList: Bool { openedCount > 0 }

  mutating func markPlayed() { (played, isSearching) = (current, false) }

  /// Starts another round at the listener's own address or, if the budget allows no more lists, at the stations found.
  mutating func restart() -> Bool {
    if budget.allows(openedCount) {
      returnToRoot()
      return true
    }
    (waiting, opened, stations) = (stations, [], [])
    return advance()
  }

  /// Selects the next address of a station that has played, usually the address that played. After every fourth loss,
  /// selects the listener's own address and opens its lists again. All entries are then tried, and the next fourth loss
  /// returns to the address that played. Thus neither a vanished list nor a dead first entry blocks the station for
  /// ever.
  mutating func selectNext(after losses: Int) {
    let (isFourth, isWhereItPlayed) = (losses % 4 == 0, current == played)
    if isSearching, !(isFourth && !isWhereItPlayed), advance() { return }
    if !isWhereItPlayed, let played {
      current = played
    } else if isFourth {
      _ = renew()
    }
  }

  /// Selects the listener's own address and opens its lists again, for addresses that have expired. Returns false if no
  /// list led to the current address.
  mutating func renew() -> Bool {
    guard !isRoot else { return false }
    budget.renew()
    returnToRoot()
    isSearching = true
    return true
  }

  private mutating func returnToRoot() {
    (waiting, opened, stations) = ([], [], [])
    (current, openedCount) = (root, 0)
  }

  /// Replaces the current playlist by its entries and selects the first. Returns false if no address is left.
  mutating func open(_ entries: [(address: WebAddress, title: String?)], _ referral: AddressOrigin? = nil) -> Bool {
    opened.insert(current.address.url)
    openedCount += 1
    let depth = current.depth + 1
    guard depth <= Self.maxDepth else { return advance() }
    let fresh = entries.enumerated().filter { !opened.contains($1.address.url) }
      .map {
        Candidate(
          address: $1.address.withOptions(from: current.address), title: $1.title ?? current.title, referral: referral,
          depth: depth, item: $0)
      }
    waiting = Self.bounded(fresh + waiting)
    return advance()
  }

  private static func bounded(_ all: [Candidate]) -> [Candidate] {
    var byteCount = 0
    let kept = all.prefix(maxWaiting).prefix { candidate in
      byteCount += candidate.address.url.byteCount + (candidate.title?.utf8.count ?? 0)
      return byteCount <= maxWaitingBytes
    }
    return Array(kept)
  }

  /// Drops all list entries, since `current` exceeds the budget. A station that has played returns to its address.
  mutating func abandonLists() {
    opened.insert(current.address.url)
    waiting = []
    current = played ?? current
  }

  mutating func next() -> Bool {
    let isStation = !opened.contains(current.address.url)
    if isStation, stations.count < Self.maxStations { stations.append(current) }
    return advance()
  }

  private mutating func advance() -> Bool {
    guard !waiting.isEmpty else { return false }
    current = waiting.removeFirst()
    return true
  }
}
