import Units

/// A queue of orders with a maximum rate. A value; the caller passes the time.
struct OrderQueue {
  private static let maxOrders = 16
  /// Maximum number of orders at one time. After each `period`, one more order is allowed.
  private static let burst = 8
  private static let period = Duration(milliseconds: 250)
  /// Minimum interval of volumes, because a slider sends many. A new volume replaces the waiting volume.
  private static let volumePeriod = Duration(milliseconds: 100)

  private var orders: [HomeOrder] = []
  private var volume: HomeOrder?
  private var tokens = burst
  private var lastToken = MonotonicTime.zero
  private var nextVolume = MonotonicTime.zero

  /// Time at which the waiting volume is due; `never` if no volume waits.
  var due: MonotonicTime { volume == nil ? .never : nextVolume }

  /// Adds an order, or drops it above the maximum rate. Returns true if the consumer must be woken.
  mutating func add(_ order: HomeOrder, at now: MonotonicTime) -> Bool {
    if case .volume = order {
      // The consumer already knows that a volume waits.
      defer { volume = order }
      return volume == nil
    }
    guard consumeToken(at: now), orders.count < Self.maxOrders else { return false }
    orders.append(order)
    return true
  }

  /// Removes and returns all orders, except a volume that is not due yet.
  mutating func removeAll(at now: MonotonicTime) -> [HomeOrder] {
    defer { orders = [] }
    guard let volume, now >= nextVolume else { return orders }
    (self.volume, nextVolume) = (nil, now + Self.volumePeriod)
    return orders + [volume]
  }

  private mutating func consumeToken(at now: MonotonicTime) -> Bool {
    if tokens == Self.burst { lastToken = now }
    let periods = max(0, (now - lastToken).nanoseconds) / Self.period.nanoseconds
    tokens = min(Self.burst, tokens + Int(min(periods, Int64(Self.burst))))
    lastToken = lastToken + Duration(nanoseconds: periods * Self.period.nanoseconds)
    guard tokens > 0 else { return false }
    tokens -= 1
    return true
  }
}
