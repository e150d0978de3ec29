import SeededRandom

/// A source of the fallback chain, whose state changes at random times.
public struct ModelSource: Sendable {
  /// The audio of a source.
  public enum State: CaseIterable, Sendable {
    case on, silent
    /// Fails at once, such as after a 404.
    case faulty
    /// Delivers silence.
    case dead
  }

  /// The present state.
  public internal(set) var state = State.silent
  /// True for a folder of files: each file ends.
  public internal(set) var isFile = false
  /// Time of the last change, in seconds.
  private(set) var changedAt = 0.0
  private var next = 0.0

  /// Sets a state that stays.
  mutating func fix(_ state: State, at now: Double) { (self.state, changedAt, next) = (state, now, .infinity) }

  /// Changes the state if a change is due.
  mutating func pass(to now: Double, _ random: inout SeededGenerator) {
    guard now >= next else { return }
    let state = State.allCases.randomElement(using: &random) ?? .on
    if state != self.state { (self.state, changedAt) = (state, now) }
    next = now + Double.random(in: 1...120, using: &random)
  }
}
