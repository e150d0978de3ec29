import SeededRandom

/// The random script of a seed: the states of the sources, a blackout, and the orders of the owner. Times in seconds.
struct ScriptPlan: Sendable {
  /// The answer of a source.
  enum State: CaseIterable, Sendable {
    case on, silent
    /// Resets each connection.
    case refusing
    /// Ends each connection, and answers new ones with 404.
    case missing
    /// Delivers silence.
    case dead
  }

  /// A state until a time.
  struct Phase: Sendable {
    var state: State
    var end: Double
  }

  /// An order that silences the radio for a time.
  struct Rest: Sendable {
    enum Kind: CaseIterable { case pause, stop }
    var kind: Kind
    var start: Double
    var end: Double
  }

  /// Silence before the next source, as `fallback_after_s`.
  static let fallbackAfter = 4.0
  /// Silence that counts as dead air.
  static let deadAfter = 5.0
  /// Maximum time of a source before the next one: its silence, its connection, and its buffer.
  static let wait = fallbackAfter + 2

  let seed: UInt64
  /// The phases of the station, of its fallbacks, and, if present, of the station's other address.
  var phases: [[Phase]] = []
  /// Number of fallbacks.
  let fallbackCount: Int
  /// True if the station has another address.
  let hasAlternative: Bool
  /// True if the last fallback is a folder of files, which always delivers.
  let hasFolder: Bool
  let hasTone: Bool
  /// The source that delivers, but for the blackout.
  let steady: Int
  /// The time in which all sources are off.
  let blackout: Range<Double>?
  let rest: Rest?
  /// Time at which the owner chooses a fallback, and its number.
  let choice: (time: Double, fallback: Int)?
  /// Time at which the network returns.
  let networkReturn: Double?
  let duration: Double

  init(_ seed: UInt64) {
    self.seed = seed
    var random = SeededGenerator(seed)
    func chance(_ part: Int) -> Bool { random.next() % UInt64(part) == 0 }
    let fallbackCount = Int.random(in: 1...3, using: &random)
    self.fallbackCount = fallbackCount
    hasTone = chance(2)
    hasAlternative = chance(3)
    hasFolder = chance(4)
    steady = hasFolder ? fallbackCount : Int.random(in: 0...fallbackCount, using: &random)
    duration = Double.random(in: 60...120, using: &random)
    let dark = Double.random(in: 35...40, using: &random)
    blackout = !hasFolder && chance(3) ? dark..<dark + Double.random(in: 15...25, using: &random) : nil
    let start = Double.random(in: 5...20, using: &random)
    let kind = Rest.Kind.allCases.randomElement(using: &random) ?? .pause
    rest = chance(2) ? Rest(kind: kind, start: start, end: start + 8) : nil
    let chosen = Int.random(in: 1...fallbackCount, using: &random)
    choice = chance(4) ? (blackout == nil ? 40 : 5, chosen) : nil
    networkReturn = chance(3) ? Double.random(in: 5...60, using: &random) : nil
    for source in 0...(fallbackCount + (hasAlternative ? 1 : 0)) {
      var phases = source == steady ? [Phase(state: .on, end: .infinity)] : Self.phases(until: duration, &random)
      if let blackout { phases = Self.phases(phases, dark: blackout, &random) }
      self.phases.append(phases)
    }
  }

  private static func phases(until end: Double, _ random: inout SeededGenerator) -> [Phase] {
    var (phases, time): ([Phase], Double) = ([], 0)
    while time < end {
      time += Double.random(in: 2...25, using: &random)
      // A source delivers half of the time.
      let state = random.next() % 2 == 0 ? .on : State.allCases.randomElement(using: &random) ?? .on
      phases.append(Phase(state: state, end: time))
    }
    phases[phases.count - 1].end = .infinity
    return phases
  }

  /// Returns the phases with a time in which the source does not deliver.
  private static func phases(
    _ phases: [Phase], dark: Range<Double>, _ random: inout SeededGenerator
  ) -> [Phase] {
    let off = [State.silent, .refusing, .missing].randomElement(using: &random) ?? .silent
    let before = phases.filter { $0.end < dark.lowerBound }
    let first = phases.first { $0.end >= dark.lowerBound }.map { [Phase(state: $0.state, end: dark.lowerBound)] } ?? []
    return before + first + [Phase(state: off, end: dark.upperBound)] + phases.filter { $0.end > dark.upperBound }
  }

  /// Maximum silence while the steady source delivers.
  var limit: Double { Double(steady) * Self.wait + 3 }
  /// Returns the additional silence after a fallback after the steady source: the later sources, and a round.
  func detour(from source: Int) -> Double {
    source > steady ? Double(fallbackCount + 1 - source) * Self.wait + 10 : 0
  }

  /// Additional silence after a blackout: the pause between two rounds, and a round that has begun.
  var blackoutDetour: Double { 20 + Double(fallbackCount + 1) * Self.wait }
}

extension ScriptPlan: CustomStringConvertible {
  var description: String {
    let sources = phases.enumerated().map { number, phases in
      "\(number): " + phases.map { "\($0.state) to \(Int(min($0.end, 999)))" }.joined(separator: ", ")
    }
    let parts = [
      "seed \(seed)", "\(fallbackCount) fallbacks", "steady \(steady)", hasAlternative ? "alternative" : nil,
      hasFolder ? "folder" : nil, hasTone ? "tone" : nil, blackout.map { "blackout \($0)" }, rest.map { "\($0)" },
      choice.map { "choice \($0)" }, networkReturn.map { "network \($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: "; ") + "\n" + sources.joined(separator: "\n")
  }
}
