import Units

/// The dialogue between a control script and the radio's control socket (MPD protocol). The dialogue sends one command
/// at a time: it queries the state, then waits for a change. An order interrupts the wait.
struct RadioDialogue {
  struct Order: Equatable {
    /// The command line, without its line feed.
    let line: String
    let identity: ScriptRequest.Identity
  }

  enum News: Equatable {
    case facts(PlayerFacts)
    case done(Order, refusal: String?)
  }

  struct Nonsense: Error, Equatable {}

  private enum Stage: Equatable {
    case absent, greeting
    case free
    case asking, waiting
    case waking
    case ordering(Order)
  }

  private(set) var outgoing = ""
  private var stage = Stage.absent
  private var orders: [Order] = []
  private var answer: [String] = []
  private var isStale = true
  private var lastAsked: MonotonicTime?
  private var patienceEnds = MonotonicTime.never

  private static let maxOrders = 16
  /// Maximum number of lines in a reply. The reply to `radio_status` has 60 lines.
  private static let maxLines = 500
  private static let patience = Duration(milliseconds: 10_000)
  /// Minimum interval of queries, because a knob changes the volume many times a second.
  private static let interval = Duration(milliseconds: 200)

  var due: MonotonicTime {
    guard stage == .free, isStale, let lastAsked else { return patienceEnds }
    return lastAsked + Self.interval
  }

  mutating func begin(at now: MonotonicTime) {
    self = RadioDialogue()
    stage = .greeting
    patienceEnds = now + Self.patience
  }

  mutating func end() -> [Order] {
    var left = orders
    if case .ordering(let order) = stage { left.insert(order, at: 0) }
    self = RadioDialogue()
    return left
  }

  mutating func enqueue(_ order: Order) -> Bool {
    guard orders.count < Self.maxOrders else { return false }
    orders.append(order)
    return true
  }

  func isSilent(at now: MonotonicTime) -> Bool { now >= patienceEnds }

  mutating func removeOutgoing() -> String {
    defer { outgoing = "" }
    return outgoing
  }

  mutating func sendNext(at now: MonotonicTime) {
    if stage == .waiting, !orders.isEmpty {
      send("noidle", .waking, at: now)
    }
    guard stage == .free else { return }
    if !orders.isEmpty {
      let order = orders.removeFirst()
      send(order.line, .ordering(order), at: now)
    } else if !isStale {
      send("idle player mixer", .waiting, at: now)
      patienceEnds = .never
    } else if now >= due || lastAsked == nil {
      (isStale, lastAsked) = (false, now)
      send("radio_status", .asking, at: now)
    }
  }

  private mutating func send(_ line: String, _ next: Stage, at now: MonotonicTime) {
    outgoing += line + "\n"
    (stage, answer, patienceEnds) = (next, [], now + Self.patience)
  }

  mutating func process(_ line: String) throws(Nonsense) -> News? {
    switch stage {
    case .absent, .free: throw Nonsense()
    case .greeting:
      guard line.hasPrefix("OK MPD ") else { throw Nonsense() }
      (stage, patienceEnds) = (.free, .never)
      return nil
    case .asking, .waiting, .waking, .ordering: return try finish(line)
    }
  }

  private mutating func finish(_ line: String) throws(Nonsense) -> News? {
    let refusal = Self.refusal(line)
    guard line == "OK" || refusal != nil else {
      guard answer.count < Self.maxLines else { throw Nonsense() }
      if line.hasPrefix("changed: ") { isStale = true }
      answer.append(line)
      return nil
    }
    defer { (stage, answer, patienceEnds) = (.free, [], .never) }
    switch stage {
    case .ordering(let order): return .done(order, refusal: refusal)
    // A peer that refuses `radio_status` is not a radio.
    case .asking where refusal == nil: return .facts(PlayerFacts(status: answer))
    case .waiting where refusal == nil, .waking where refusal == nil: return nil
    default: throw Nonsense()
    }
  }

  /// Returns the reason `why` in a refusal "ACK [error@place] {command} why"; nil for other lines.
  private static func refusal(_ line: String) -> String? {
    guard line.hasPrefix("ACK [") else { return nil }
    guard let brace = line.firstIndex(of: "}") else { return line }
    return String(line[line.index(after: brace)...].drop { $0 == " " })
  }
}
