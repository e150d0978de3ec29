/// Collects violated invariants for `checkInvariants`, which tests call after every step. Programs never run it.
struct InvariantCheck {
  private(set) var broken: [String]

  init(_ broken: [String] = []) { self.broken = broken }

  var isWhole: Bool { broken.isEmpty }

  mutating func require(_ isSo: Bool, _ sentence: @autoclosure () -> String) {
    if !isSo { broken.append(sentence()) }
  }
}
