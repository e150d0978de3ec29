import Units

/// Orders on their way to the radio: few, and of a flood only some. A value that is told the time.
struct OrderQueue {
  private static let most = 16
  /// So many orders at once, and one more in each quarter of a second; of volumes only the last counts.
  private static let burst = 8
  private static let period = Duration(milliseconds: 250)

  private(set) var orders: [HomeOrder] = []
  private var tokens = burst
  private var lastToken = MonotonicTime.zero

  /// Adds an order; false where it is dropped.
  mutating func add(_ order: HomeOrder, at now: MonotonicTime) -> Bool {
    if case .volume = order {
      orders.removeAll { if case .volume = $0 { true } else { false } }
    } else {
      guard takeToken(at: now) else { return false }
    }
    guard orders.count < Self.most else { return false }
    orders.append(order)
    return true
  }

  /// Takes all.
  mutating func takeAll() -> [HomeOrder] {
    defer { orders = [] }
    return orders
  }

  private mutating func takeToken(at now: MonotonicTime) -> Bool {
    if tokens == Self.burst { lastToken = now }
    let periods = max(0, (now - lastToken).nanoseconds) / Self.period.nanoseconds
    tokens = min(Self.burst, tokens + Int(min(periods, Int64(Self.burst))))
    lastToken = lastToken + Duration(nanoseconds: periods * Self.period.nanoseconds)
    guard tokens > 0 else { return false }
    tokens -= 1
    return true
  }
}
