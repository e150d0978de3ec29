/// Hears when sound stops and when it comes back, by the seconds that a radio says were heard.
struct StallEar {
  /// Seconds heard in all, over programmes that begin anew.
  private(set) var heard = 0.0
  /// When the sound was heard last to go on.
  private(set) var lastSound: Double
  private var told = 0.0

  /// Begins to listen.
  init(at now: Double) { lastSound = now }

  /// The radio says so.
  mutating func listen(_ told: Double, at now: Double) {
    if told > self.told + 0.001 || told < self.told - 1 {
      heard += told > self.told ? told - self.told : told
      lastSound = now
    }
    self.told = told
  }

  /// Whether nothing is heard: the figures come a few times a second.
  func isSilent(at now: Double) -> Bool { now - lastSound > 0.4 }

  /// Whether anything was heard yet.
  var hasSounded: Bool { heard > 0 }
}
