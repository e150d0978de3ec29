import Continuity
import Network
import Settings
import Units

extension FallbackPlan {
  /// Creates a plan from settings. `own`: the station's own settings, which replace the general ones.
  /// `request`: returns the request for an address; nil if the address is not allowed. Unusable entries are left out.
  public init(
    _ settings: ContinuitySettings, own: StationSettings? = nil, among stations: PresetList,
    _ request: (StationAddress) -> StationRequest?
  ) {
    let entries = own?.fallback ?? settings.fallback
    self.init(entries.compactMap { FallbackSource($0, among: stations, request) }, Self.rules(settings))
    let seconds = own?.deadAirSeconds ?? settings.deadAirSeconds
    if seconds > 0, own?.isTalk != true {
      deadAir = DeadAir(decibels: own?.deadAirDecibels ?? settings.deadAirDecibels, seconds: seconds)
    }
  }

  private static func rules(_ settings: ContinuitySettings) -> ContinuityRules {
    ContinuityRules(
      hasTone: settings.hasTone, fallbackAfter: Duration(seconds: settings.fallbackAfter),
      returnAfter: Duration(seconds: settings.returnAfter))
  }

  /// Returns a sentence for each entry that cannot play now. Reads folders.
  public static func problems(
    in entries: [String], among stations: PresetList, _ request: (StationAddress) -> StationRequest?
  ) -> [String] {
    var known: Set<String> = []
    return entries.filter { known.insert($0).inserted }.compactMap { entry in
      let shown = StationFallback(entry).description
      guard let source = FallbackSource(entry, among: stations, request) else {
        return "The fallback \"\(shown)\" is neither a station, an address nor a path; the other fallbacks are used."
      }
      return source.problem.map { "\($0); the other fallbacks are used." }
    }
  }
}
