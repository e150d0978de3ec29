import Continuity
import SeededRandom
import Units

/// A radio with model players, its owner, and a network, for scripts of the fallback chain by a fast clock (F4).
///
/// The model checks the rules that each order must obey, and stores the first violation.
public struct ChainModel: Sendable {
  /// The events of a script, apart from the changes of the sources.
  public struct Orders: OptionSet, Sendable {
    /// One bit for each event.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The owner pauses and resumes.
    static let pauses = Orders(rawValue: 1)
    /// Another program uses the sound device for a time.
    static let suspends = Orders(rawValue: 2)
    /// The network returns.
    static let returns = Orders(rawValue: 4)
    /// The owner chooses a fallback.
    static let choices = Orders(rawValue: 8)
    /// The owner chooses the station again.
    static let tunings = Orders(rawValue: 16)
    static let all: Orders = [.pauses, .suspends, .returns, .choices, .tunings]
  }

  /// The rules of the chain.
  public let rules: ContinuityRules
  /// Time in seconds.
  public private(set) var now = 0.0
  /// Seconds without sound although a sound is wanted. Dead air counts as sound until it is detected.
  public private(set) var silence = 0.0
  /// Source that played before the silence.
  public private(set) var lastSource = 0
  /// Times of changes from and to the first choice.
  public private(set) var changes: [Double] = []
  /// The first violation of a rule; nil without one.
  public private(set) var violation: String?
  /// True while the tone plays.
  public private(set) var hasTone = false

  var sources: [ModelSource]
  var random: SeededGenerator
  var (isPaused, isSuspended) = (false, false)
  private(set) var chain = Continuity()
  private var (current, connectedAt, fileEnd) = (0, 0.0, Double.infinity)
  private var isReceiving = false
  /// Start of the tone, and of the measurement of dead air, which the tone and a pause interrupt.
  private var (toneSince, measuredSince) = (0.0, 0.0)
  private var nextOrder = 0.0

  static let step = 0.5
  /// Time of a connection, and of the start of a file.
  static let (connection, fileStart) = (0.5, 0.6)
  /// Silence that counts as dead air.
  static let deadAfter = 20.0

  /// Creates a radio with up to three fallbacks, which may be files.
  init(_ seed: UInt64, fallbacks: ClosedRange<Int> = 0...3) {
    random = SeededGenerator(seed)
    let count = Int.random(in: fallbacks, using: &random)
    rules = ContinuityRules(stepCount: count, hasTone: Bool.random(using: &random))
    sources = (0...count).map { _ in ModelSource() }
    for number in 1..<sources.count where random.next() % 3 == 0 { sources[number].isFile = true }
    _ = chain.tune(rules, at: moment)
  }

  // MARK: State

  var isWanted: Bool { !isPaused && !isSuspended }
  /// True if the first choice plays, and no tone.
  var isHome: Bool { !chain.isAway }
  /// True if the tone has played for seconds.
  var hasSteadyTone: Bool { hasTone && now - toneSince >= 5 }
  /// True if the present source can be heard, be it dead air.
  var isAudible: Bool {
    let state = sources[current].state
    return (state == .on || state == .dead) && now >= connectedAt && now < fileEnd
  }

  private var isDead: Bool {
    guard sources[current].state == .dead, sources.count > 1, isAudible else { return false }
    return now - max(connectedAt, sources[current].changedAt, measuredSince) >= Self.deadAfter
  }

  private var isDelivered: Bool { sources[0].state == .on || sources[0].state == .dead }
  private var moment: MonotonicTime { MonotonicTime(nanoseconds: Int64(now * 1e9)) }

  // MARK: Time

  /// Passes half a second with the events of a script.
  mutating func pass(_ orders: Orders = []) {
    for number in sources.indices { sources[number].pass(to: now, &random) }
    if !orders.isEmpty, now >= nextOrder {
      nextOrder = now + Double.random(in: 1...100, using: &random)
      order(orders)
    }
    step()
  }

  /// Passes half a second.
  mutating func step() {
    now += Self.step
    var facts = Continuity.Facts()
    if hasTone || !isWanted { measuredSince = now }
    // A file stands still during a pause.
    if !isWanted { fileEnd += Self.step }
    facts.isWanted = isWanted
    facts.isAudible = isAudible
    facts.isFaulty = sources[current].state == .faulty && now >= connectedAt || connectedAt == .infinity
    facts.isDead = isDead
    facts.isOver = sources[current].isFile && now >= fileEnd
    facts.isFile = sources[current].isFile
    facts.isSteady = isReceiving && isDelivered
    for action in chain.update(facts, at: moment) { perform(action) }
    let isHeard = isAudible && !isDead
    if isHeard || !isWanted { (silence, lastSource) = (0, current) } else { silence += Self.step }
    if hasTone, !isWanted || facts.isAudible && !facts.isDead { violate("the tone plays on") }
  }

  /// Passes time until a condition holds; false after `seconds`.
  mutating func run(_ seconds: Double, until isDone: (ChainModel) -> Bool) -> Bool {
    let end = now + seconds
    while !isDone(self) {
      guard now < end, violation == nil else { return false }
      step()
    }
    return true
  }

  // MARK: Orders of the owner

  private mutating func order(_ orders: Orders) {
    switch Orders(rawValue: 1 << Int.random(in: 0..<5, using: &random)).intersection(orders) {
    case .pauses: isPaused.toggle()
    case .suspends: isSuspended.toggle()
    case .returns: chain.hasten(to: moment + Duration(seconds: 1))
    case .tunings:
      (isPaused, silence, lastSource) = (false, 0, 0)
      for action in chain.tune(rules, at: moment) { perform(action) }
      play(0, after: Self.connection, isChoice: true)
    case .choices where rules.stepCount > 0:
      isPaused = false
      let choice = Int.random(in: 1...rules.stepCount, using: &random)
      for action in chain.force(choice, at: moment) { perform(action) }
      (silence, lastSource) = (0, choice)
    default: break
    }
  }

  // MARK: Actions of the chain

  private mutating func violate(_ text: String) { violation = violation ?? "\(text) at \(now) s" }

  private mutating func perform(_ action: Continuity.Action) {
    switch action {
    case .failOver(let next, let reason):
      if !(1...max(1, rules.stepCount)).contains(next) { return violate("fallback \(next) does not exist") }
      if current == 0 { changes.append(now) }
      play(next, after: Self.connection, isChoice: reason == .choice)
    case .comeBack:
      if !isReceiving || !isDelivered { violate("the first choice is not received and returns") }
      changes.append(now)
      play(0, after: 0)
    case .retry: play(0, after: Self.connection)
    case .playNext:
      if !sources[current].isFile { violate("a next file of a station") }
      play(current, after: Self.fileStart)
    case .tone(let isOn, let reason):
      // The player stops dead air for the tone.
      if isOn, reason == .deadAir { connectedAt = .infinity }
      if isOn == hasTone || isOn && !isWanted { violate("the tone \(isOn)") }
      (hasTone, toneSince) = (isOn, now)
    case .receive(let isOn):
      if isOn == isReceiving || isOn && !isWanted { violate("the reception \(isOn)") }
      isReceiving = isOn
    case .report: if current != 0 || !isAudible { violate("a report of a silent first choice") }
    case .stay: violate("a change to an unread file")
    }
  }

  private mutating func play(_ source: Int, after delay: Double, isChoice: Bool = false) {
    if !isWanted, !isChoice { violate("an order to play while no sound is wanted,") }
    (current, connectedAt) = (source, now + delay)
    let length = sources[source].isFile ? Double.random(in: 2...400, using: &random) : .infinity
    fileEnd = connectedAt + length
  }
}
