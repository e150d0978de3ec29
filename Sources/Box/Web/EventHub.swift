import Units

/// The pages that hear events: 16 at most.
struct EventHub {
  private var streams: [EventStream] = []
  /// When each is told nothing, so that its connection stays in use.
  private var nextSign = MonotonicTime.zero

  static let most = 16
  private static let interval = Duration(milliseconds: 20_000)

  init() {}

  /// How many pages there are.
  var count: Int { streams.count }

  /// When something is to be done.
  var due: MonotonicTime { streams.isEmpty ? .never : nextSign }

  /// A stream for one more page; nil where there are too many.
  mutating func open(cookie: String, at now: MonotonicTime) -> EventStream? {
    sweep()
    guard streams.count < Self.most else { return nil }
    if streams.isEmpty { nextSign = now + Self.interval }
    let stream = EventStream(cookie: cookie)
    streams.append(stream)
    return stream
  }

  /// Tells all pages something under a name; those that do not know the status yet hear of it as a whole later.
  func tell(_ name: String, _ data: String) {
    for stream in streams where stream.knowsStatus { stream.tell(name, data) }
  }

  /// Tells the whole status, to those who do not know it or to all.
  func tell(status: String, toAll: Bool) {
    for stream in streams where toAll || !stream.knowsStatus {
      stream.knowsStatus = true
      stream.tell("status", status)
    }
  }

  /// Ends all.
  func end() { for stream in streams { stream.end() } }

  /// Forgets those that are over, and ends those whose page is gone, or whose session is none that lasts.
  mutating func sweep(_ lasts: (_ cookie: String) -> Bool = { _ in true }) {
    for stream in streams where !stream.isOver && (stream.hasLeft || !lasts(stream.cookie)) { stream.end() }
    streams.removeAll { $0.isOver }
  }

  /// Does what is due.
  mutating func attend(at now: MonotonicTime) {
    guard now >= due else { return }
    nextSign = now + Self.interval
    for stream in streams { stream.tellNothing() }
  }
}
