import Units

/// Decides which stations are received in advance, and when connections start. A value; the caller passes the time.
struct PrefetchPlan {
  private(set) var rule = PrefetchRule()
  /// The last chosen station, and the time of the choice. Retries do not count.
  private var chosen: StationRequest?
  private var lastChange: MonotonicTime?
  private var isStopped = true
  /// The last starts of connections, the newest at the end.
  private var starts: [MonotonicTime] = []
  private var hour = (start: MonotonicTime.zero, byteCount: 0)
  /// Stations that were left, with the time.
  private var left: [(request: StationRequest, moment: MonotonicTime)] = []
  /// Stations that could not be received in advance, with the time.
  private var refused: [(request: StationRequest, moment: MonotonicTime)] = []

  /// Time after a change before connections to neighbours start: the listener may turn on.
  static let settling = Duration(milliseconds: 1_500)
  /// Time in which at most `maxStarts` connections start.
  static let interval = Duration(milliseconds: 1_000)
  static let maxStarts = 2
  /// Time after the last change, after which nothing is received in advance.
  static let idleLimit = Duration(seconds: 600)
  /// Time for which the station before the current one is still received.
  static let leftLimit = Duration(seconds: 60)
  /// Time before a station that could not be received is tried again.
  static let refusalLimit = Duration(seconds: 600)
  /// True if the first choice of this rule failed.
  private var isFirstChoiceRefused = false
  private static let maxRefusals = 64
  private static let capInterval = Duration(seconds: 3_600)

  var isActive: Bool { !rule.requests.isEmpty || rule.firstChoice != nil }

  mutating func use(_ rule: PrefetchRule) {
    if rule.firstChoice != self.rule.firstChoice { isFirstChoiceRefused = false }
    self.rule = rule
  }

  // MARK: Events

  /// Records a new programme.
  mutating func recordChange(to request: StationRequest, at now: MonotonicTime) {
    if request != chosen { lastChange = now }
    (chosen, isStopped) = (request, false)
    left.removeAll { $0.request == request || now - $0.moment >= Self.leftLimit }
  }

  /// Records that the radio stopped: nothing is received.
  mutating func recordStop() { (isStopped, left) = (true, []) }

  /// Records that the listener left a station that is still received.
  mutating func recordLeaving(_ request: StationRequest, at now: MonotonicTime) {
    left.removeAll { $0.request == request }
    left.append((request, now))
  }

  mutating func recordStart(at now: MonotonicTime) { starts = starts.suffix(Self.maxStarts - 1) + [now] }

  /// Records that a station has no live audio or fails.
  mutating func recordRefusal(of request: StationRequest, at now: MonotonicTime) {
    if request == rule.firstChoice { return isFirstChoiceRefused = true }
    refused.removeAll { $0.request == request }
    refused = refused.suffix(Self.maxRefusals - 1) + [(request, now)]
  }

  /// Records that the network has changed: refused stations may be tried again.
  mutating func forgetRefusals() { refused = [] }

  mutating func recordBytes(_ count: Int, at now: MonotonicTime) {
    if now - hour.start >= Self.capInterval { hour = (now, 0) }
    hour.byteCount += count
  }

  // MARK: Decisions

  /// The earliest time for the next connection to a station.
  var nextStart: MonotonicTime {
    starts.count < Self.maxStarts ? .zero : starts[starts.count - Self.maxStarts] + Self.interval
  }

  /// True if a station on standby is still needed.
  func keeps(_ request: StationRequest, at now: MonotonicTime) -> Bool {
    if request == rule.firstChoice { return !isFirstChoiceRefused }
    guard allows(at: now) else { return false }
    return wants(request, at: now) || left.contains { $0.request == request && now - $0.moment < Self.leftLimit }
  }

  /// Returns the next station to receive. `known`: the current station and the stations on standby.
  func next(after known: [StationRequest], at now: MonotonicTime) -> StationRequest? {
    if let first = rule.firstChoice, !isFirstChoiceRefused, !known.contains(first), now >= nextStart { return first }
    guard allows(at: now), let lastChange, now - lastChange >= Self.settling, now >= nextStart else { return nil }
    return rule.requests.first { wants($0, at: now) && !known.contains($0) }
  }

  /// The next time to ask `next` or `keeps` again.
  func due(at now: MonotonicTime) -> MonotonicTime {
    guard isActive, !isStopped, let lastChange else { return .never }
    let moments = [lastChange + Self.settling, lastChange + Self.idleLimit, nextStart, hour.start + Self.capInterval]
    return (moments + left.map { $0.moment + Self.leftLimit }).filter { $0 > now }.min() ?? .never
  }

  private func wants(_ request: StationRequest, at now: MonotonicTime) -> Bool {
    rule.requests.contains(request)
      && !refused.contains { $0.request == request && now - $0.moment < Self.refusalLimit }
  }

  private func allows(at now: MonotonicTime) -> Bool {
    guard isActive, !isStopped, let lastChange, now - lastChange < Self.idleLimit else { return false }
    guard let most = rule.maxBytesPerHour else { return true }
    return now - hour.start >= Self.capInterval || hour.byteCount < most
  }
}
