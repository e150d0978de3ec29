import Units

/// Sends orders to the radio's control socket, one at a time. An order: one or more MPD commands.
struct CommandExchange {
  /// The peer does not speak the radio's protocol.
  struct Nonsense: Error, Equatable {}

  private struct Order {
    let id: Int
    let commands: [RadioCommand]
    /// Time at which the order ends without a reply.
    var end: MonotonicTime

    var text: String {
      guard commands.count > 1 else { return commands.map(\.line).joined() }
      return "command_list_ok_begin\n" + commands.map(\.line).joined() + "command_list_end\n"
    }
  }

  private enum Stage {
    case absent
    /// The radio's greeting must arrive before this time.
    case greeting(MonotonicTime)
    case free
    case asking(Order, until: MonotonicTime)
  }

  private var stage = Stage.absent
  private var orders: [Order] = []
  private var parts: [[AnswerLine]] = [[]]
  private var byteCount = 0

  static let maxOrders = 64
  /// Maximum length of a reply in bytes.
  private static let maxBytes = 2 << 20
  private static let patience = Duration(milliseconds: 5_000)
  /// Timeout of a reply. The radio may need 10 s to open the station directory.
  private static let answerTimeout = Duration(milliseconds: 12_000)

  var due: MonotonicTime {
    let first = orders.map(\.end).min() ?? .never
    return switch stage {
    case .greeting(let end): min(first, end)
    case .asking(let order, let end): min(first, min(order.end, end))
    case .absent, .free: first
    }
  }

  mutating func begin(at now: MonotonicTime) { (stage, parts, byteCount) = (.greeting(now + Self.patience), [[]], 0) }

  /// Resets the exchange after the connection's end. Returns the ids of the unanswered orders.
  mutating func end() -> [Int] {
    defer { self = CommandExchange() }
    guard case .asking(let order, _) = stage else { return orders.map(\.id) }
    return [order.id] + orders.map(\.id)
  }

  mutating func enqueue(_ id: Int, _ commands: [RadioCommand], at now: MonotonicTime) -> Bool {
    guard orders.count < Self.maxOrders else { return false }
    orders.append(Order(id: id, commands: commands, end: now + Self.patience))
    return true
  }

  /// Returns the ids of orders whose time is over. `isSilent`: true if the radio does not reply and must be
  /// disconnected.
  mutating func expire(at now: MonotonicTime) -> (ids: [Int], isSilent: Bool) {
    var late = orders.filter { $0.end <= now }.map(\.id)
    orders.removeAll { $0.end <= now }
    switch stage {
    case .greeting(let end): return (late, end <= now)
    case .asking(var order, let end):
      // The caller no longer waits, but the reply must still arrive before the radio's timeout.
      if order.end <= now {
        late.append(order.id)
        order.end = .never
        stage = .asking(order, until: end)
      }
      return (late, end <= now)
    case .absent, .free: return (late, false)
    }
  }

  mutating func next(at now: MonotonicTime) -> String {
    guard case .free = stage, !orders.isEmpty else { return "" }
    let order = orders.removeFirst()
    (stage, parts, byteCount) = (.asking(order, until: now + Self.answerTimeout), [[]], 0)
    return order.text
  }

  mutating func process(_ line: String) throws(Nonsense) -> (id: Int, answer: RadioAnswer)? {
    switch stage {
    case .absent, .free: throw Nonsense()
    case .greeting:
      guard line.hasPrefix("OK MPD ") else { throw Nonsense() }
      stage = .free
      return nil
    case .asking(let order, _): return try process(line, for: order)
    }
  }

  private mutating func process(_ line: String, for order: Order) throws(Nonsense) -> (id: Int, answer: RadioAnswer)? {
    if line == "list_OK" {
      parts.append([])
      guard parts.count <= order.commands.count + 1 else { throw Nonsense() }
      return nil
    }
    if let refusal = RadioAnswer.refusal(line) {
      stage = .free
      return (order.id, refusal)
    }
    if line == "OK" {
      if order.commands.count > 1 { parts.removeLast() }
      guard parts.count == order.commands.count else { throw Nonsense() }
      stage = .free
      return (order.id, .success(parts))
    }
    byteCount += line.utf8.count + 64
    guard byteCount <= Self.maxBytes, let pair = AnswerLine(line) else { throw Nonsense() }
    parts[parts.count - 1].append(pair)
    return nil
  }
}
