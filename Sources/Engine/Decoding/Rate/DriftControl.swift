import Units

/// Keeps a radio at its distance from live despite different clocks, stalls, or too little audio at the start.
///
/// Data arrives unevenly, so the controller averages the buffer over a minute. The ratio depends on the average's
/// distance from the target. At the target the ratio becomes exactly 1, until the buffer has drifted again. If a large
/// buffer has not shrunk, correction runs in short bursts, with a ratio of 1 between them.
public struct DriftControl: Sendable {
  /// The buffer after one and two smoothing steps, in seconds.
  private var smoothed: (once: Double, twice: Double) = (0, 0)
  /// The time since the first update of this average, in seconds.
  private var age = 0.0
  private var lastUpdate: MonotonicTime?
  private var isSteering = false
  private var keepsDistance = false
  /// The buffer to keep, in seconds; nil until the average is known.
  private var keptHold: Double?
  /// The maximum average buffer so far, limited to the target, in seconds; 0 until the average is known.
  private var largest = 0.0
  /// True if the buffer has shrunk and not yet reached its target again.
  private var hasFallen = false

  /// Creates the controller of a new programme.
  public init() {}

  /// The time constant of each smoothing step, in seconds.
  private static let smoothing = 30.0
  /// The time until the average is known, in seconds.
  private static let settling = 60.0
  /// The maximum time between two updates in seconds; a longer pause restarts the average.
  private static let maxPause = 10.0

  /// The distance in seconds that starts a correction, which continues until `innerBand`.
  private static let outerBand = 0.5
  private static let innerBand = 0.1
  /// The ratio's change per second of distance.
  private static let proportion = 1e-3
  private static let limit = 500e-6
  /// The distance in seconds above which the ratio may exceed `limit`.
  private static let far = 1.0
  /// Increase of the limit per second of distance above `far`.
  private static let growth = 2.5e-3
  /// Maximum of the increased limit.
  private static let farLimit = 3e-3

  /// Minimum buffer for correction in bursts, in seconds. Bursts save work: correction costs about an eighth of the
  /// radio's other work.
  private static let ample = 3.0
  /// Maximum distance for correction in bursts, in seconds; the minimum is `far`.
  private static let farthest = 8.0
  /// Length of a burst, in seconds.
  private static let burst = 4.0
  /// Time between the starts of two bursts, in seconds.
  private static let burstPeriod = 30.0
  /// Decrease of the buffer after which correction runs continuously, in seconds.
  private static let fall = 0.5

  /// The average buffer over a minute; zero before the first update.
  public var hold: StreamTime { StreamTime(seconds: smoothed.twice) }

  /// Updates the controller with the buffer `held` and its target `aim`; returns the output frames per input frame.
  /// Call it about once a second while the programme plays; a pause of over ten seconds restarts the average. A ratio
  /// above 1 stretches the sound, so that the buffer grows.
  public mutating func update(now: MonotonicTime, held: StreamTime, aim: StreamTime) -> ClockRatio {
    measure(now, held.seconds)
    if keepsDistance, keptHold == nil, age >= Self.settling { keptHold = smoothed.twice }
    let wanted = keepsDistance ? max(aim.seconds, keptHold ?? smoothed.twice) : aim.seconds
    let missing = wanted - smoothed.twice
    isSteering = abs(missing) > (isSteering ? Self.innerBand : Self.outerBand)
    watch(wanted)
    guard isSteering else { return .one }
    return ClockRatio(1 + (hasTime(missing) ? burst(missing) : Self.steering(missing)))
  }

  /// Restarts after a change of programme or a return to live.
  public mutating func restart() { self = DriftControl() }

  /// Keeps the distance of a listener who shifted time or paused. Until `restart`, the target is the next minute's
  /// average, but at least `aim`.
  public mutating func keepDistance() {
    self = DriftControl()
    keepsDistance = true
  }

  /// Records a decrease of the buffer on its way to `wanted` seconds.
  private mutating func watch(_ wanted: Double) {
    guard age >= Self.settling else { return }
    largest = min(wanted, max(largest, smoothed.twice))
    hasFallen = isSteering && (hasFallen || largest - smoothed.twice > Self.fall)
  }

  /// Returns true if correction in bursts suffices. False at the first update, which is not an average.
  private func hasTime(_ missing: Double) -> Bool {
    age > 0 && !hasFallen && smoothed.twice >= Self.ample
      && (Self.far...Self.farthest).contains(abs(missing))
  }

  /// Returns the ratio's distance from 1; 0 between bursts.
  private func burst(_ missing: Double) -> Double {
    guard age.truncatingRemainder(dividingBy: Self.burstPeriod) < Self.burst else { return 0 }
    return missing < 0 ? -Self.farLimit : Self.farLimit
  }

  private mutating func measure(_ now: MonotonicTime, _ held: Double) {
    let step = lastUpdate.map { (now - $0).seconds } ?? .infinity
    lastUpdate = now
    guard step <= Self.maxPause else {
      smoothed = (held, held)
      age = 0
      return
    }
    guard step > 0 else { return }
    age += step
    // The first updates form a plain average.
    let share = step / min(age, Self.smoothing)
    smoothed.once += (held - smoothed.once) * share
    smoothed.twice += (smoothed.once - smoothed.twice) * share
  }

  /// Returns the ratio's distance from 1 for a missing duration in seconds, as a continuous function.
  private static func steering(_ missing: Double) -> Double {
    let distance = abs(missing)
    let near = min(limit, distance * proportion)
    let size = distance <= far ? near : min(farLimit, limit + (distance - far) * growth)
    return missing < 0 ? -size : size
  }
}
