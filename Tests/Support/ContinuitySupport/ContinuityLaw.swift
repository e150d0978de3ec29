/// The laws of the fallback chain, each checked by a random script (F4, F5).
public enum ContinuityLaw: String, CaseIterable, Sendable {
  /// While a source delivers, silence lasts at most as long as the waits of the sources before it, plus 1 s.
  case sounds
  /// Sources that return are played within six minutes; without one the tone plays.
  case moves
  /// A first choice that flaps each minute causes at most six changes in an hour.
  case flaps
  /// The first choice returns once it delivers again.
  case returns

  /// Runs the script of a seed; returns a sentence about a violation, or nil.
  public func violation(_ seed: UInt64) -> String? {
    let violation =
      switch self {
      case .sounds: Self.sounds(seed)
      case .moves: Self.moves(seed)
      case .flaps: Self.flaps(seed)
      case .returns: Self.returns(seed)
      }
    return violation.map { "\(rawValue), seed \(seed): \($0)" }
  }

  /// Silence of a source before the next one, with its connection and the steps of the model.
  private static let wait = 16.0

  private static func sounds(_ seed: UInt64) -> String? {
    var model = ChainModel(seed)
    let count = model.rules.stepCount
    let steady = Int.random(in: 0...count, using: &model.random)
    model.sources[steady].fix(.on, at: 0)
    while model.now < 150 {
      model.pass(.all)
      // A chosen fallback after the steady source fails first, then the later sources, and then the round.
      let detour = model.lastSource > steady ? Double(count + 1 - model.lastSource) * wait + 10 : 0
      if let violation = model.violation { return violation }
      if model.silence > Double(steady) * wait + detour + 1 {
        return "silence of \(model.silence) s at \(model.now) s, although source \(steady) delivers"
      }
    }
    return nil
  }

  private static func moves(_ seed: UInt64) -> String? {
    var model = ChainModel(seed)
    let end = Double.random(in: 50...2_000, using: &model.random)
    while model.now < end, model.violation == nil { model.pass(.all) }
    // The last number: no source returns.
    let returning = Int.random(in: 0...model.sources.count, using: &model.random)
    for number in model.sources.indices {
      // Without fallbacks dead air is not judged.
      let off: [ModelSource.State] = model.sources.count == 1 ? [.silent, .faulty] : [.silent, .faulty, .dead]
      let state = number == returning ? .on : off.randomElement(using: &model.random) ?? .silent
      model.sources[number].fix(state, at: model.now)
    }
    (model.isPaused, model.isSuspended) = (false, false)
    guard model.rules.isActive else { return model.violation }
    if returning < model.sources.count {
      // The present source and the later ones, a pause of 3 min, and the sources before the returning one.
      if model.run(350, until: { $0.silence == 0 && $0.lastSource == returning && !$0.hasTone }) { return nil }
      return model.violation ?? "source \(returning) delivers since \(end) s and is not played"
    }
    guard model.rules.hasTone else { return model.violation }
    // Dead air interrupts the tone in each round.
    let isInterrupted = model.sources.contains { $0.state == .dead }
    if model.run(350, until: { isInterrupted ? $0.hasTone : $0.hasSteadyTone }) { return nil }
    return model.violation ?? "all sources are silent since \(end) s, and no tone plays"
  }

  private static func flaps(_ seed: UInt64) -> String? {
    var model = ChainModel(seed, fallbacks: 1...3)
    for number in model.sources.indices { model.sources[number].fix(.on, at: 0) }
    let on = Double.random(in: 2...58, using: &model.random)
    let off: ModelSource.State = [.faulty, .faulty, .silent, .dead].randomElement(using: &model.random) ?? .faulty
    while model.now < 10_800 {
      let state = model.now.truncatingRemainder(dividingBy: 60) < on ? .on : off
      if model.sources[0].state != state { model.sources[0].fix(state, at: model.now) }
      model.pass([.pauses, .suspends, .returns])
      if let violation = model.violation { return violation }
    }
    let most = model.changes.map { start in model.changes.count { (start..<start + 3_600).contains($0) } }.max() ?? 0
    if most > 6 { return "\(most) changes in an hour, \(on) s of each minute with audio, then \(off)" }
    return most == 0 && off == .faulty ? "a faulty first choice is never left" : nil
  }

  private static func returns(_ seed: UInt64) -> String? {
    var model = ChainModel(seed, fallbacks: 1...3)
    let end = Double.random(in: 50...1_000, using: &model.random)
    while model.now < end, model.violation == nil { model.pass([.pauses, .suspends, .returns, .tunings]) }
    for number in model.sources.indices { model.sources[number].fix(.on, at: model.now) }
    (model.isPaused, model.isSuspended) = (false, false)
    // An hour without another change, an attempt, and the end of a file.
    if model.run(4_500, until: { $0.silence == 0 && $0.isHome }) { return nil }
    return model.violation ?? "the first choice delivers since \(end) s and does not return"
  }
}
