/// The addresses that a station may be at, in the order in which they are tried.
///
/// A playlist's entries take the place of the playlist; a playlist in a playlist is opened five deep, and none twice.
struct Candidates {
  struct Candidate: Equatable {
    var address: WebAddress
    var title: String?
    var depth = 0
    /// Its place in the list that was opened last.
    var item: Int?
  }

  private let root: Candidate
  private var waiting: [Candidate] = []
  private var opened: Set<String> = []
  /// The one being tried.
  private(set) var current: Candidate

  static let deepest = 5

  init(_ address: WebAddress) {
    root = Candidate(address: address)
    current = root
  }

  /// Whether `current` is what the listener named.
  var isRoot: Bool { current == root }

  /// Begins at the listener's own address again.
  mutating func restart() {
    current = root
    waiting = []
    opened = []
  }

  /// Puts a playlist's entries in its place, and moves to the first; false where none can be tried.
  mutating func open(_ entries: [(address: WebAddress, title: String?)]) -> Bool {
    opened.insert(current.address.url)
    let depth = current.depth + 1
    guard depth <= Self.deepest else { return next() }
    let fresh = entries.enumerated().filter { !opened.contains($1.address.url) }
      .map { Candidate(address: $1.address, title: $1.title ?? current.title, depth: depth, item: $0) }
    waiting = fresh + waiting
    return next()
  }

  /// Moves to the next; false where there is none.
  mutating func next() -> Bool {
    guard !waiting.isEmpty else { return false }
    current = waiting.removeFirst()
    return true
  }
}
