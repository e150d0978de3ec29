import Units

/// What is asked of the radio over its control socket (the MPD protocol), one order after the other.
struct CommandExchange {
  /// What came is not of a radio.
  struct Nonsense: Error, Equatable {}

  private struct Order {
    let id: Int
    let commands: [RadioCommand]
    /// When it is given up.
    var end: MonotonicTime

    var text: String {
      guard commands.count > 1 else { return commands.map(\.line).joined() }
      return "command_list_ok_begin\n" + commands.map(\.line).joined() + "command_list_end\n"
    }
  }

  private enum Stage {
    case absent
    /// The radio has to greet until then.
    case greeting(MonotonicTime)
    case free
    /// The radio has to answer until then.
    case asking(Order, until: MonotonicTime)
  }

  private var stage = Stage.absent
  private var orders: [Order] = []
  private var parts: [[AnswerLine]] = [[]]
  private var byteCount = 0

  /// So many orders wait at most.
  static let mostOrders = 64
  /// An answer of more bytes is none of a radio.
  private static let mostBytes = 2 << 20
  private static let patience = Duration(milliseconds: 5_000)
  /// A radio that opens its station directory answers after 10 s at most.
  private static let longestAnswer = Duration(milliseconds: 12_000)

  /// When something is given up.
  var due: MonotonicTime {
    let first = orders.map(\.end).min() ?? .never
    return switch stage {
    case .greeting(let end): min(first, end)
    case .asking(let order, let end): min(first, min(order.end, end))
    case .absent, .free: first
    }
  }

  /// The radio is there.
  mutating func begin(at now: MonotonicTime) { (stage, parts, byteCount) = (.greeting(now + Self.patience), [[]], 0) }

  /// The radio is gone; the orders that nobody answers.
  mutating func end() -> [Int] {
    defer { self = CommandExchange() }
    guard case .asking(let order, _) = stage else { return orders.map(\.id) }
    return [order.id] + orders.map(\.id)
  }

  /// Gives an order; false where too many wait.
  mutating func give(_ id: Int, _ commands: [RadioCommand], at now: MonotonicTime) -> Bool {
    guard orders.count < Self.mostOrders else { return false }
    orders.append(Order(id: id, commands: commands, end: now + Self.patience))
    return true
  }

  /// The orders that have waited for too long, and whether the radio is silent, so that it has to be given up.
  mutating func expire(at now: MonotonicTime) -> (ids: [Int], isSilent: Bool) {
    var late = orders.filter { $0.end <= now }.map(\.id)
    orders.removeAll { $0.end <= now }
    switch stage {
    case .greeting(let end): return (late, end <= now)
    case .asking(var order, let end):
      // Who asked waits no longer; the radio has its time from when it was asked.
      if order.end <= now {
        late.append(order.id)
        order.end = .never
        stage = .asking(order, until: end)
      }
      return (late, end <= now)
    case .absent, .free: return (late, false)
    }
  }

  /// What is to be sent now; empty where nothing is.
  mutating func next(at now: MonotonicTime) -> String {
    guard case .free = stage, !orders.isEmpty else { return "" }
    let order = orders.removeFirst()
    (stage, parts, byteCount) = (.asking(order, until: now + Self.longestAnswer), [[]], 0)
    return order.text
  }

  /// Takes a line of the radio; the order that it ends.
  mutating func hear(_ line: String) throws(Nonsense) -> (id: Int, answer: RadioAnswer)? {
    switch stage {
    case .absent, .free: throw Nonsense()
    case .greeting:
      guard line.hasPrefix("OK MPD ") else { throw Nonsense() }
      stage = .free
      return nil
    case .asking(let order, _): return try hear(line, for: order)
    }
  }

  private mutating func hear(_ line: String, for order: Order) throws(Nonsense) -> (id: Int, answer: RadioAnswer)? {
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
      return (order.id, .told(parts))
    }
    byteCount += line.utf8.count + 64
    guard byteCount <= Self.mostBytes, let pair = AnswerLine(line) else { throw Nonsense() }
    parts[parts.count - 1].append(pair)
    return nil
  }
}
