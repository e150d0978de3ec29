import Units

/// Blocks an address for one minute after five wrong passwords within a minute. Each further block is twice as long, up
/// to one hour. Each quiet hour halves the next block. If the right password arrived from the address within the last
/// hour, a block lasts 10 s: other clients may use the address.
struct PasswordGuard {
  private struct Record {
    var wrongCount = 0
    var began = MonotonicTime.zero
    var end = MonotonicTime.zero
    var pause = PasswordGuard.minPause
    /// End of the hour with short blocks that follows a right password.
    var trustEnd = MonotonicTime.zero
  }

  static let maxAttempts = 5
  private static let window = Duration(milliseconds: 60_000)
  private static let minPause = Duration(milliseconds: 60_000)
  private static let trustedPause = Duration(milliseconds: 10_000)
  private static let maxPause = Duration(milliseconds: 3_600_000)
  private static let hour = Duration(milliseconds: 3_600_000)
  /// Time without an attempt after which an address is removed.
  private static let memory = Duration(milliseconds: 7_200_000)
  private static let maxAddresses = 1_024

  private var records: [String: Record] = [:]

  /// Returns the seconds before the next attempt; nil if allowed now.
  func wait(_ address: String, at now: MonotonicTime) -> Int? {
    guard let record = records[address], record.end > now else { return nil }
    return max(1, Int((record.end - now).seconds.rounded(.up)))
  }

  mutating func fail(_ address: String, at now: MonotonicTime) {
    makeRoom(for: address, at: now)
    var record = records[address] ?? Record(began: now)
    for _ in 0..<max(0, min(8, (now - record.began).nanoseconds / Self.hour.nanoseconds)) {
      record.pause = max(Self.minPause, Duration(nanoseconds: record.pause.nanoseconds / 2))
    }
    if now - record.began > Self.window { (record.began, record.wrongCount) = (now, 0) }
    record.wrongCount += 1
    if record.wrongCount >= Self.maxAttempts {
      let isTrusted = record.trustEnd > now
      record.end = now + (isTrusted ? Self.trustedPause : record.pause)
      if !isTrusted { record.pause = min(record.pause + record.pause, Self.maxPause) }
      // The next count of wrong passwords starts when the block ends.
      (record.began, record.wrongCount) = (record.end, 0)
    }
    records[address] = record
  }

  mutating func succeed(_ address: String, at now: MonotonicTime) {
    makeRoom(for: address, at: now)
    records[address] = Record(began: now, trustEnd: now + Self.hour)
  }

  /// Removes addresses without recent attempts if the table is full. If still full, removes the oldest address,
  /// preferably without a right password.
  private mutating func makeRoom(for address: String, at now: MonotonicTime) {
    guard records[address] == nil, records.count >= Self.maxAddresses else { return }
    records = records.filter { now - $0.value.began < Self.memory }
    guard records.count >= Self.maxAddresses else { return }
    let oldest = records.min { one, other in
      (one.value.trustEnd > now ? 1 : 0, one.value.began) < (other.value.trustEnd > now ? 1 : 0, other.value.began)
    }
    if let oldest { records[oldest.key] = nil }
  }
}
