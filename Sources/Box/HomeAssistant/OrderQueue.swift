import Units

/// Orders on their way to the radio: few, and of a flood only some. A value that is told the time.
struct OrderQueue {
  private static let most = 16
  /// So many orders at once, and one more in each quarter of a second.
  private static let burst = 8
  private static let period = Duration(milliseconds: 250)
  /// Of volumes the last counts, and one is given in so long: whoever draws a slider sends many.
  private static let volumePeriod = Duration(milliseconds: 100)

  private var orders: [HomeOrder] = []
  private var volume: HomeOrder?
  private var tokens = burst
  private var lastToken = MonotonicTime.zero
  private var nextVolume = MonotonicTime.zero

  /// When a volume that waits is given; `never` where none does.
  var due: MonotonicTime { volume == nil ? .never : nextVolume }

  /// Adds an order, or drops it; whether whoever takes them has something new to do.
  mutating func add(_ order: HomeOrder, at now: MonotonicTime) -> Bool {
    if case .volume = order {
      // Another one that waits was told already.
      defer { volume = order }
      return volume == nil
    }
    guard takeToken(at: now), orders.count < Self.most else { return false }
    orders.append(order)
    return true
  }

  /// Takes all, but a volume that has to wait.
  mutating func take(at now: MonotonicTime) -> [HomeOrder] {
    defer { orders = [] }
    guard let volume, now >= nextVolume else { return orders }
    (self.volume, nextVolume) = (nil, now + Self.volumePeriod)
    return orders + [volume]
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
