import Continuity
import Network

/// The fallback chain of a station (F4).
public struct FallbackPlan: Sendable {
  /// The sources, in order.
  public var sources: [FallbackSource]
  /// The times, and the tone. The number of steps follows from the sources.
  public var rules: ContinuityRules
  /// The limits of dead air; nil to detect none.
  public var deadAir: DeadAir?

  /// Creates a plan; without sources and tone, nothing replaces a silent station.
  public init(_ sources: [FallbackSource] = [], _ rules: ContinuityRules = ContinuityRules()) {
    (self.sources, self.rules) = (sources, rules)
  }

  /// Returns the plan without sources that play the station itself.
  func without(_ station: QueuedStation) -> FallbackPlan {
    var plan = self
    plan.sources.removeAll { $0.plays(station.request.url) }
    plan.rules.stepCount = plan.sources.count
    return plan
  }
}
