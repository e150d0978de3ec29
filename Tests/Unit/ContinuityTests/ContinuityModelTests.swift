import Continuity
import SeededRandom
import Testing
import Units

/// The fallback chain with model players and random scripts (F4). A failure prints its seed.
struct ContinuityModelTests {
  /// A source that delivers, is silent, or fails at once.
  struct Source {
    enum State: CaseIterable { case on, silent, faulty }
    var state = State.silent
    var next = 0.0

    mutating func pass(to now: Double, _ random: inout SeededGenerator) {
      guard now >= next else { return }
      state = State.allCases.randomElement(using: &random) ?? .on
      next = now + Double.random(in: 1...120, using: &random)
    }
  }

  /// A radio that plays the sources.
  struct Model {
    var chain = Continuity()
    var sources: [Source]
    let rules: ContinuityRules
    var random: SeededGenerator
    var now = 0.0
    var isWanted = true
    private var current = 0
    private var connectedAt = 0.0
    private var isReceiving = false
    /// Times of changes from and to the first choice.
    private(set) var changes: [Double] = []
    /// Orders to play while no sound is wanted.
    private(set) var unwanted = 0
    private(set) var hasTone = false

    init(_ seed: UInt64) {
      random = SeededGenerator(seed)
      let count = Int.random(in: 0...3, using: &random)
      rules = ContinuityRules(stepCount: count, hasTone: Bool.random(using: &random))
      sources = (0...count).map { _ in Source() }
      _ = chain.tune(rules, at: MonotonicTime(seconds: 0))
    }

    var isAudible: Bool { sources[current].state == .on && now >= connectedAt }

    mutating func step() {
      now += 0.5
      var facts = Continuity.Facts()
      facts.isWanted = isWanted
      facts.isAudible = isAudible
      facts.isFaulty = sources[current].state == .faulty
      facts.isSteady = isReceiving && sources[0].state == .on
      for action in chain.update(facts, at: MonotonicTime(seconds: now)) { perform(action) }
    }

    private mutating func perform(_ action: Continuity.Action) {
      switch action {
      case .failOver(let next, _):
        if current == 0 { changes.append(now) }
        play(next, after: 0.5)
      case .comeBack:
        changes.append(now)
        play(0, after: 0)
      case .retry: play(0, after: 0.5)
      case .playNext: play(current, after: 0.5)
      case .tone(let isOn, _):
        hasTone = isOn
        if isOn, !isWanted { unwanted += 1 }
      case .receive(let isOn):
        isReceiving = isOn
        if isOn, !isWanted { unwanted += 1 }
      case .report, .stay: break
      }
    }

    private mutating func play(_ source: Int, after delay: Double) {
      if !isWanted { unwanted += 1 }
      (current, connectedAt) = (source, now + delay)
    }
  }

  private static let seeds: Range<UInt64> = 1..<20_001

  @Test("Silence is at most the waits of the sources before one that delivers (F4)")
  func isNeverSilent() {
    for seed in Self.seeds {
      var model = Model(seed)
      let steady = Int.random(in: 0..<model.sources.count, using: &model.random)
      model.sources[steady] = Source(state: .on, next: .infinity)
      var silence = 0.0
      while model.now < 100 {
        for source in model.sources.indices { model.sources[source].pass(to: model.now, &model.random) }
        model.step()
        silence = model.isAudible ? 0 : silence + 0.5
        guard silence <= 16 * Double(steady) + 1 else {
          Issue.record("seed \(seed): silence of \(silence) s at \(model.now) s, although source \(steady) delivers")
          return
        }
      }
    }
  }

  @Test("A radio whose sources return plays again within 4 min, and without a sound wanted nothing happens (F4)")
  func moves() {
    for seed in Self.seeds.prefix(2_000) {
      var model = Model(seed)
      let end = Double.random(in: 50...2_000, using: &model.random)
      var nextOrder = 0.0
      while model.now < end {
        for source in model.sources.indices { model.sources[source].pass(to: model.now, &model.random) }
        if model.now >= nextOrder {
          model.isWanted = Int.random(in: 0..<4, using: &model.random) > 0
          nextOrder = model.now + Double.random(in: 1...100, using: &model.random)
        }
        model.step()
        guard model.unwanted == 0 else {
          Issue.record("seed \(seed): an action at \(model.now) s, although no sound is wanted")
          return
        }
      }
      let returning = Int.random(in: 0..<model.sources.count, using: &model.random)
      for source in model.sources.indices { model.sources[source] = Source(state: .silent, next: .infinity) }
      model.sources[returning].state = .on
      model.isWanted = true
      while model.now < end + 240, !model.isAudible { model.step() }
      model.step()
      let isDone = model.isAudible && !model.hasTone || !model.rules.isActive
      guard isDone else {
        Issue.record("seed \(seed): source \(returning) delivers since \(end) s and is not played")
        return
      }
    }
  }

  @Test("A station that flaps each minute causes at most six changes in an hour")
  func flapping() {
    for seed in Self.seeds.prefix(500) {
      var model = Model(seed)
      guard model.sources.count > 1 else { continue }
      for source in model.sources.indices { model.sources[source] = Source(state: .on, next: .infinity) }
      let on = Double.random(in: 5...58, using: &model.random)
      while model.now < 10_800 {
        model.sources[0].state = model.now.truncatingRemainder(dividingBy: 60) < on ? .on : .faulty
        model.step()
      }
      let most = model.changes.map { start in model.changes.count { (start..<start + 3_600).contains($0) } }.max() ?? 0
      guard most <= 6, !model.changes.isEmpty else {
        Issue.record("seed \(seed): \(most) changes in an hour, \(on) s of each minute with audio")
        return
      }
    }
  }
}
