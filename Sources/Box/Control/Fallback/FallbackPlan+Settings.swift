import Continuity
import Network
import Settings
import Units

extension FallbackPlan {
  /// Creates a plan from settings; leaves out unusable entries. `own`: the station's own settings, which replace the
  /// general ones; a list without a usable entry does not. `startWait`: seconds that the radio buffers before a live
  /// station starts. `request`: returns the request for an address; nil if the address is not allowed.
  public init(
    _ settings: ContinuitySettings, own: StationSettings? = nil, among stations: PresetList, startWait: Double = 0,
    _ request: (StationAddress) -> StationRequest?
  ) {
    func sources(_ entries: [String]) -> [FallbackSource] {
      entries.compactMap { FallbackSource($0, among: stations, request) }
    }
    let listed = own?.fallback.map { (isEmpty: $0.isEmpty, sources: sources($0)) }
    let isOwn = listed.map { $0.isEmpty || !$0.sources.isEmpty } == true
    self.init(isOwn ? listed?.sources ?? [] : sources(settings.fallback), Self.rules(settings, startWait))
    let seconds = own?.deadAirSeconds ?? settings.deadAirSeconds
    if seconds > 0, own?.isTalk != true {
      deadAir = DeadAir(decibels: own?.deadAirDecibels ?? settings.deadAirDecibels, seconds: seconds)
    }
  }

  private static func rules(_ settings: ContinuitySettings, _ startWait: Double) -> ContinuityRules {
    // A station that fills its buffer is not silent.
    let least = startWait + minMargin
    return ContinuityRules(
      hasTone: settings.hasTone,
      fallbackAfter: Duration(seconds: startWait > 1 ? max(settings.fallbackAfter, least) : settings.fallbackAfter),
      returnAfter: Duration(seconds: settings.returnAfter))
  }

  /// Seconds for a connection, besides those of the buffer.
  private static let minMargin = 5.0
}
