import Units

/// Recognises a station that allows one connection for each listener: a second connection is refused, or ends the
/// first. Spare connections would then be useless or harmful. A value; the caller passes the time.
struct SoleConnection: Hashable, Sendable {
  /// Number of observations that prove the rule; a single observation may be a coincidence.
  static let proof = 2
  /// Maximum time between a spare's request and the end of the first connection, if the spare is the cause.
  static let maxDelay = Duration(milliseconds: 1_000)

  private(set) var isProven = false
  private var observationCount = 0
  /// True if a spare was refused while the first connection was open.
  private var isRefused = false
  private var spareStart: MonotonicTime?

  mutating func recordSpare(at now: MonotonicTime) { spareStart = now }

  /// Records the refusal of a spare. `status`: HTTP status of 400 or more.
  mutating func recordRefusal(_ status: Int) {
    // The end of the first connection is then that of the station.
    spareStart = nil
    // Another status shows a fault of the station.
    if [401, 403, 409, 429, 503].contains(status) { isRefused = true }
  }

  /// Records data of the first connection. After a refusal, they show that the station itself works.
  mutating func recordData() {
    spareStart = nil
    guard isRefused else { return }
    isRefused = false
    count()
  }

  /// Records the end of the first connection by its server.
  mutating func recordEnd(at now: MonotonicTime) {
    defer { (isRefused, spareStart) = (false, nil) }
    if let spareStart, now - spareStart <= Self.maxDelay { count() }
  }

  private mutating func count() {
    observationCount += 1
    if observationCount >= Self.proof { isProven = true }
  }
}

/// The stations that proved to allow one connection for each listener. Net thread only.
final class SoleStations {
  private var addresses: [StationAddress] = []
  private static let maxCount = 64

  func contains(_ address: StationAddress) -> Bool { addresses.contains(address) }

  /// Adds a station; above the limit, removes the station that was added first.
  func insert(_ address: StationAddress) {
    guard !contains(address) else { return }
    if addresses.count == Self.maxCount { addresses.removeFirst() }
    addresses.append(address)
  }
}
