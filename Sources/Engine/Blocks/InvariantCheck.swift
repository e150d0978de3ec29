/// Gathers the rules of a ring that do not hold: what `checkInvariants` of each ring gives, and the tests look at after
/// every step. None of it runs in a program.
struct InvariantCheck {
  /// What is broken, a sentence for each rule.
  private(set) var broken: [String]

  /// A check that begins with what others found.
  init(_ broken: [String] = []) { self.broken = broken }

  /// Whether all held so far.
  var isWhole: Bool { broken.isEmpty }

  /// Notes a rule: a sentence for where it is broken.
  mutating func require(_ isSo: Bool, _ sentence: @autoclosure () -> String) {
    if !isSo { broken.append(sentence()) }
  }
}
