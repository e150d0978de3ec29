import Units

/// The rules of a station's fallback chain.
public struct ContinuityRules: Equatable, Sendable {
  /// Number of fallback sources.
  public var stepCount: Int
  /// True if the chain ends with a tone.
  public var hasTone: Bool
  /// Silence before each next step.
  public var fallbackAfter: Duration
  /// Steady audio of the first choice before the return.
  public var returnAfter: Duration

  /// Creates rules; without steps and tone, the chain does nothing.
  public init(
    stepCount: Int = 0, hasTone: Bool = false,
    fallbackAfter: Duration = Duration(seconds: Defaults.fallbackAfter),
    returnAfter: Duration = Duration(seconds: Defaults.returnAfter)
  ) {
    (self.stepCount, self.hasTone) = (stepCount, hasTone)
    (self.fallbackAfter, self.returnAfter) = (fallbackAfter, returnAfter)
  }

  /// True if a fallback or the tone can replace a silent station.
  public var isActive: Bool { stepCount > 0 || hasTone }

  /// Time before the first attempt to receive the first choice, and minimum duration of a silent round.
  static let minRetry = Duration(seconds: 10)
  /// Maximum time between two attempts.
  static let maxRetry = Duration(seconds: 180)
  /// Maximum duration of an attempt before its first steady audio.
  static let attemptLimit = Duration(seconds: 10)
  /// A return that fails within this time doubles the time before the next return. Ads are heard for this time after a
  /// fallback that had no audio.
  static let proof = Duration(seconds: 600)
  /// Maximum time of steady audio before a return.
  static let maxReturn = Duration(seconds: 1_800)
  /// Time without a failure that resets the time before a return.
  static let memory = Duration(seconds: 3_600)
  /// Maximum time for which a file delays the return.
  static let fileLimit = Duration(seconds: 600)
  /// Maximum time for the start of the next file. Longer silence permits an early return.
  static let fileStart = Duration(seconds: 2)
  /// Maximum changes from and to an audible first choice within `memory`. Silence permits more changes.
  static let maxChanges = 6
  /// Maximum silence of a fallback that replaces an ad.
  static let adPatience = Duration(seconds: 5)
  /// Maximum time in which a connection becomes steady if the first choice had it before the ad.
  static let maxExchange = Duration(milliseconds: 500)
  /// Minimum time between a return after an ad and the next ad that is replaced.
  static let minAdInterval = Duration(seconds: 30)
  /// Maximum number of ads within `memory` that are replaced.
  static let maxAds = 12
  /// Time after which a first choice that is still at its ad is heard.
  static let maxAdLength = Duration(seconds: 900)
}
