import Units

/// The event streams of the pages, at most 16.
struct EventHub {
  private var streams: [EventStream] = []
  private var nextSign = MonotonicTime.zero

  static let maxStreams = 16
  private static let interval = Duration(milliseconds: 20_000)

  init() {}

  var count: Int { streams.count }

  var due: MonotonicTime { streams.isEmpty ? .never : nextSign }

  mutating func open(cookie: String, at now: MonotonicTime) -> EventStream? {
    sweep()
    guard streams.count < Self.maxStreams else { return nil }
    if streams.isEmpty { nextSign = now + Self.interval }
    let stream = EventStream(cookie: cookie)
    streams.append(stream)
    return stream
  }

  func send(_ name: String, _ data: String) {
    for stream in streams where stream.knowsStatus { stream.sendEvent(name, data) }
  }

  func send(status: String, toAll: Bool) {
    for stream in streams where toAll || !stream.knowsStatus {
      stream.knowsStatus = true
      stream.sendEvent("status", status)
    }
  }

  func end() { for stream in streams { stream.end() } }

  /// Ends streams if the page or its session is gone, and removes ended streams. `lasts`: returns true if the cookie's
  /// session exists.
  mutating func sweep(_ lasts: (_ cookie: String) -> Bool = { _ in true }) {
    for stream in streams where !stream.isOver && (stream.hasLeft || !lasts(stream.cookie)) { stream.end() }
    streams.removeAll { $0.isOver }
  }

  mutating func attend(at now: MonotonicTime) {
    guard now >= due else { return }
    nextSign = now + Self.interval
    for stream in streams { stream.sendKeepAlive() }
  }
}
