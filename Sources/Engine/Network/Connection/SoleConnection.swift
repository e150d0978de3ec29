import Units

/// Recognises an address that allows one connection for each listener: a second connection is refused, or ends the
/// first. Spare connections would then be useless or harmful. One observation proves the rule: a wrong proof costs some
/// seconds after a stall, a missing one the connection. A value; the caller passes the time.
struct SoleConnection: Hashable, Sendable {
  /// Maximum time between a spare's request and the end of the first connection, if the spare is the cause.
  static let maxDelay = Duration(milliseconds: 1_000)

  private(set) var isProven = false
  /// True if a spare was refused while the first connection was open. Further spares wait until that connection ends.
  private(set) var isRefused = false
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
    isProven = isProven || isRefused
    isRefused = false
  }

  /// Records the end of the first connection by its server.
  mutating func recordEnd(at now: MonotonicTime) {
    if let spareStart, now - spareStart <= Self.maxDelay { isProven = true }
    recordLoss()
  }

  /// Records any other end of the first connection. A station that refused the spare may then be the cause of both.
  mutating func recordLoss() { (isRefused, spareStart) = (false, nil) }
}

/// The addresses that proved to allow one connection for each listener. Net thread only.
final class SoleStations {
  private var addresses: [StationAddress] = []
  private static let maxCount = 64

  func contains(_ address: StationAddress) -> Bool { addresses.contains(address) }

  /// Adds an address; above the limit, removes the address that was added first.
  func insert(_ address: StationAddress) {
    guard !contains(address) else { return }
    if addresses.count == Self.maxCount { addresses.removeFirst() }
    addresses.append(address)
  }
}
