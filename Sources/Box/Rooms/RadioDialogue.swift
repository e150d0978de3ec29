import Units

/// What a control script and the radio say to each other over its control socket (the MPD protocol), one command after
/// the other: it asks for what plays, waits until something changes, and is called away from that by an order.
struct RadioDialogue {
  /// What somebody ordered.
  struct Order: Equatable {
    /// The command's line, without its end.
    let line: String
    /// By what whoever gave it knows it.
    let identity: ScriptRequest.Identity
  }

  /// What came of a line.
  enum News: Equatable {
    case facts(PlayerFacts)
    /// An order was carried out, or why it was not.
    case done(Order, refusal: String?)
  }

  /// What came is not of a radio.
  struct Nonsense: Error, Equatable {}

  private enum Stage: Equatable {
    case absent, greeting
    /// Nothing is under way.
    case free
    case asking, waiting
    /// The waiting is being ended.
    case waking
    case ordering(Order)
  }

  /// What is to be sent.
  private(set) var outgoing = ""
  private var stage = Stage.absent
  private var orders: [Order] = []
  private var answer: [String] = []
  /// Whether something changed since it was asked.
  private var isStale = true
  private var lastAsked: MonotonicTime?
  /// When a radio is given up that does not answer.
  private var patienceEnds = MonotonicTime.never

  private static let mostOrders = 16
  /// `radio_status` has 60 lines.
  private static let mostLines = 500
  private static let patience = Duration(milliseconds: 10_000)
  /// What plays is asked for this often at most: a knob changes the volume many times a second.
  private static let interval = Duration(milliseconds: 200)

  /// When something is to be done though nothing came.
  var due: MonotonicTime {
    guard stage == .free, isStale, let lastAsked else { return patienceEnds }
    return lastAsked + Self.interval
  }

  /// The radio is there.
  mutating func begin(at now: MonotonicTime) {
    self = RadioDialogue()
    stage = .greeting
    patienceEnds = now + Self.patience
  }

  /// The radio is gone; the orders that it left.
  mutating func end() -> [Order] {
    var left = orders
    if case .ordering(let order) = stage { left.insert(order, at: 0) }
    self = RadioDialogue()
    return left
  }

  /// Gives an order; false where there is no room for it.
  mutating func give(_ order: Order) -> Bool {
    guard orders.count < Self.mostOrders else { return false }
    orders.append(order)
    return true
  }

  /// Whether the radio has not answered in time.
  func isSilent(at now: MonotonicTime) -> Bool { now >= patienceEnds }

  /// Takes what is to be sent.
  mutating func takeOutgoing() -> String {
    defer { outgoing = "" }
    return outgoing
  }

  /// Says what comes next, where nothing is under way.
  mutating func goOn(at now: MonotonicTime) {
    if stage == .waiting, !orders.isEmpty {
      say("noidle", .waking, at: now)
    }
    guard stage == .free else { return }
    if !orders.isEmpty {
      let order = orders.removeFirst()
      say(order.line, .ordering(order), at: now)
    } else if !isStale {
      say("idle player mixer", .waiting, at: now)
      patienceEnds = .never
    } else if now >= due || lastAsked == nil {
      (isStale, lastAsked) = (false, now)
      say("radio_status", .asking, at: now)
    }
  }

  private mutating func say(_ line: String, _ next: Stage, at now: MonotonicTime) {
    outgoing += line + "\n"
    (stage, answer, patienceEnds) = (next, [], now + Self.patience)
  }

  /// Takes a line of the radio.
  mutating func hear(_ line: String) throws(Nonsense) -> News? {
    switch stage {
    case .absent, .free: throw Nonsense()
    case .greeting:
      guard line.hasPrefix("OK MPD ") else { throw Nonsense() }
      (stage, patienceEnds) = (.free, .never)
      return nil
    case .asking, .waiting, .waking, .ordering: return try take(line)
    }
  }

  private mutating func take(_ line: String) throws(Nonsense) -> News? {
    let refusal = Self.refusal(line)
    guard line == "OK" || refusal != nil else {
      guard answer.count < Self.mostLines else { throw Nonsense() }
      if line.hasPrefix("changed: ") { isStale = true }
      answer.append(line)
      return nil
    }
    defer { (stage, answer, patienceEnds) = (.free, [], .never) }
    switch stage {
    case .ordering(let order): return .done(order, refusal: refusal)
    // A radio that does not tell what it does is none.
    case .asking where refusal == nil: return .facts(PlayerFacts(status: answer))
    case .waiting where refusal == nil, .waking where refusal == nil: return nil
    default: throw Nonsense()
    }
  }

  /// Why a command was refused: "ACK [error@place] {command} why".
  private static func refusal(_ line: String) -> String? {
    guard line.hasPrefix("ACK [") else { return nil }
    guard let brace = line.firstIndex(of: "}") else { return line }
    return String(line[line.index(after: brace)...].drop { $0 == " " })
  }
}
