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
    /// Number of the address that led here: 0 for the listener's own address, else an alternative.
    var root = 0
  }

  /// The listener's own address, and the alternatives in the order of preference.
  private let roots: [Candidate]
  private var waiting: [Candidate] = []
  private var opened: Set<StationAddress> = []
  private(set) var current: Candidate
  private var played: Candidate?
  var budget = ListBudget()
  /// Lists opened since the last try of the listener's own address.
  private var openedCount = 0
  /// Addresses that failed in this round and are not lists.
  private var stations: [Candidate] = []
  /// Entries of the last opened list; empty for another kind of list or more than `maxMirrors` entries.
  private var listed: [Candidate] = []
  /// Entries of the list that led to the address that played, if these entries are addresses of one station.
  private var mirrors: [Candidate] = []
  /// True while a station that has played is searched through its lists again.
  private var isSearching = false

  static let maxDepth = 5
  /// Maximum number of entries of a list that may be addresses of one station.
  static let maxMirrors = 16
  /// Maximum number of stations that are retried if their lists may not be opened again.
  private static let maxStations = 32
  /// Maximum number of waiting addresses, and maximum bytes of these addresses and their titles. The last addresses are
  /// dropped.
  static let maxWaiting = 1_000
  static let maxWaitingBytes = 512 << 10

  /// Creates the candidates for an address. `budget`: counts the lists that led to a referral, so that cycles end.
  init(
    _ address: WebAddress, _ referral: AddressOrigin? = nil, _ alternatives: [WebAddress] = [],
    budget: ListBudget? = nil
  ) {
    var roots = [Candidate(address: address, referral: referral)]
    for address in alternatives { roots.append(Candidate(address: address, root: roots.count)) }
    self.roots = roots
    current = roots[0]
    waiting = Array(roots[1...])
    if referral != nil, let budget { self.budget = budget }
  }

  var waitingCount: Int { waiting.count }

  /// True at the listener's own address.
  var isRoot: Bool { current == roots[0] }

  /// True at an entry of a list, of the listener's own address or of an alternative.
  var isListed: Bool { current != roots[current.root] }

  var hasOpenedList: Bool { openedCount > 0 }

  mutating func markPlayed() {
    (played, isSearching) = (current, false)
    mirrors = listed.contains(current) ? listed.filter { $0.isMirror(of: current) } : []
  }

  /// Starts another round at the listener's own address or, if the budget allows no more lists, at the stations found.
  mutating func restart() -> Bool {
    if budget.allows(openedCount) {
      returnToRoot(0)
      waiting = Array(roots[1...])
      return true
    }
    (waiting, opened, stations) = (stations, [], [])
    return advance()
  }

  /// Selects the next address of a station that has played, usually the address that played. After every fourth loss,
  /// selects the listener's own address and opens its lists again. All entries are then tried, and the next fourth loss
  /// returns to the address that played. Thus neither a vanished list nor a dead first entry blocks the station for
  /// ever. From the second loss on, the other entries for the same station precede the address that played.
  ///
  /// A station with alternatives returns to its address once. The further losses select the other entries for the same
  /// station, then the next alternative, and after the last alternative the listener's own address.
  mutating func selectNext(after losses: Int) {
    guard roots.count == 1 else { return selectAlternative(after: losses) }
    let (isFourth, isWhereItPlayed) = (losses % 4 == 0, current == played)
    if isSearching, !(isFourth && !isWhereItPlayed), advance() { return }
    if losses > 1, !isFourth, selectMirror() { return }
    if !isWhereItPlayed, isSearching || mirrors.count < 2, let played {
      current = played
    } else if isFourth {
      _ = renew()
    }
  }

  /// The addresses of the programme: the current address, the next entries for the same station, the next alternatives.
  var addresses: [Candidate] {
    let next = (mirrors.firstIndex(of: current) ?? -1) + 1
    let entries = mirrors[next...] + mirrors[..<next]
    let others = roots[(current.root + 1)...] + roots[..<current.root]
    return [current] + entries.filter { $0.address.url != current.address.url } + others
  }

  var hasAlternatives: Bool { roots.count > 1 || mirrors.count > 1 }

  /// Selects an address of `addresses`.
  mutating func select(_ candidate: Candidate) {
    guard candidate.address.url != current.address.url else { return }
    (waiting, opened, stations) = ([], [], [])
    (current, openedCount, isSearching) = (candidate, 0, true)
  }

  /// Selects the next entry for the same station. Returns false without such an entry.
  private mutating func selectMirror() -> Bool {
    guard mirrors.count > 1 else { return false }
    let place = mirrors.firstIndex(of: current) ?? -1
    current = mirrors[(place + 1) % mirrors.count]
    return true
  }

  private mutating func selectAlternative(after losses: Int) {
    if losses < 2 {
      if let played { current = played }
    } else if losses <= mirrors.count, selectMirror() {
      return
    } else if !isSearching || !advance() {
      budget.renew()
      returnToRoot((current.root + 1) % roots.count)
      isSearching = true
    }
  }

  /// Selects the address whose lists led to the current one and opens these lists again, for addresses that have
  /// expired. Returns false if no list led to the current address.
  mutating func renew() -> Bool {
    guard isListed else { return false }
    budget.renew()
    returnToRoot(current.root)
    isSearching = true
    return true
  }

  private mutating func returnToRoot(_ number: Int) {
    (waiting, opened, stations) = ([], [], [])
    (current, openedCount) = (roots[number], 0)
  }

  /// Replaces the current playlist by its entries and selects the first. Returns false if no address is left.
  /// `isMaster`: true for the variants of an HLS station.
  mutating func open(
    _ entries: [(address: WebAddress, title: String?)], _ referral: AddressOrigin? = nil, isMaster: Bool = false
  ) -> Bool {
    opened.insert(current.address.url)
    openedCount += 1
    let depth = current.depth + 1
    guard depth <= Self.maxDepth else { return advance() }
    // Each address is tried once in a round: the listener's own addresses with their options, others where first named.
    var known = opened.union((roots + stations + waiting).map(\.address.url))
    let fresh = entries.enumerated().filter { known.insert($1.address.url).inserted }
      .map {
        Candidate(
          address: $1.address.withOptions(from: current.address), title: $1.title ?? current.title, referral: referral,
          depth: depth, item: $0, root: current.root)
      }
    listed = isMaster || fresh.count > Self.maxMirrors ? [] : fresh
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

extension Candidates.Candidate {
  /// True if both entries of a list are addresses of one station: their titles are equal, except for the number of the
  /// server as in "FIP (#2)", or both entries have no title.
  fileprivate func isMirror(of other: Self) -> Bool { root == other.root && stationTitle == other.stationTitle }

  private var stationTitle: String {
    guard let title, let start = title.firstRange(of: "(#"), let end = title[start.upperBound...].firstIndex(of: ")")
    else { return title ?? "" }
    return String(title[..<start.lowerBound] + title[title.index(after: end)...])
  }
}
