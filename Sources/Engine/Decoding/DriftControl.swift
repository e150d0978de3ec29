import Units

/// Holds a radio at its distance from live, whatever moved it: two clocks that differ, a short start, a stall.
///
/// Data comes in lumps, so the hold is what is held on average over a minute; the ratio follows its distance from the
/// aim. Once the aim is reached the ratio is exactly 1 until the hold has gone away again: where the clocks agree, for
/// good. A hold that is large enough and was never larger grows in short bursts, and the ratio is 1 between them.
public struct DriftControl: Sendable {
  /// What is held, smoothed once and twice, in seconds.
  private var smoothed: (once: Double, twice: Double) = (0, 0)
  /// How long it has been looked at, in seconds.
  private var age = 0.0
  private var lastUpdate: MonotonicTime?
  private var isSteering = false
  private var keepsDistance = false
  /// The hold to be kept, in seconds, once it is known.
  private var keptHold: Double?
  /// The largest hold so far, up to the aim, in seconds; 0 until the average is known.
  private var largest = 0.0
  /// The hold became smaller, and has not reached its aim since.
  private var hasFallen = false

  /// Control for a programme that begins.
  public init() {}

  /// Each of the two smoothings takes so many seconds.
  private static let smoothing = 30.0
  /// After so many seconds the average is known.
  private static let settling = 60.0
  /// Between two updates that belong together.
  private static let longestPause = 10.0

  /// So far from its aim the hold needs steering, in seconds, and from there back to the other.
  private static let outerBand = 0.5
  private static let innerBand = 0.1
  /// For each second that the hold is away from its aim.
  private static let proportion = 1e-3
  private static let limit = 500e-6
  /// Beyond so many seconds the limit grows,
  private static let far = 1.0
  /// by so much for each second,
  private static let growth = 2.5e-3
  /// to this.
  private static let farLimit = 3e-3

  /// Steering costs about an eighth of what the radio needs otherwise. With at least so many seconds held,
  private static let ample = 3.0
  /// and at most so many missing or too many, it is done in bursts
  private static let farthest = 8.0
  /// of so many seconds
  private static let burst = 4.0
  /// in each so many. After a fall of the hold by so much it goes on all the time.
  private static let burstPeriod = 30.0
  private static let fall = 0.5

  /// What is held and not heard yet, as an average over a minute; zero before the first update.
  public var hold: StreamTime { StreamTime(seconds: smoothed.twice) }

  /// Looks at what is `held` and not heard yet, and says how many frames have to come out for a frame in.
  ///
  /// Called about once a second while the programme sounds; after more than ten seconds the average begins anew. A
  /// ratio above 1 makes the sound longer, so that the hold grows.
  public mutating func update(now: MonotonicTime, held: StreamTime, aim: StreamTime) -> ClockRatio {
    look(now, held.seconds)
    if keepsDistance, keptHold == nil, age >= Self.settling { keptHold = smoothed.twice }
    let wanted = keepsDistance ? max(aim.seconds, keptHold ?? smoothed.twice) : aim.seconds
    let missing = wanted - smoothed.twice
    isSteering = abs(missing) > (isSteering ? Self.innerBand : Self.outerBand)
    watch(wanted)
    guard isSteering else { return .one }
    return ClockRatio(1 + (hasTime(missing) ? burst(missing) : Self.steering(missing)))
  }

  /// Begins anew: another programme, or live again.
  public mutating func restart() { self = DriftControl() }

  /// The listener shifted time, or paused and goes on: until `restart` the hold is kept at what it is in the next
  /// minute, or at the aim where that is more.
  public mutating func keepDistance() {
    self = DriftControl()
    keepsDistance = true
  }

  /// Notes whether the hold became smaller on its way to `wanted` seconds.
  private mutating func watch(_ wanted: Double) {
    guard age >= Self.settling else { return }
    largest = min(wanted, max(largest, smoothed.twice))
    hasFallen = isSteering && (hasFallen || largest - smoothed.twice > Self.fall)
  }

  /// Whether a hold that is far from its aim may change slowly. The first look is no average yet.
  private func hasTime(_ missing: Double) -> Bool {
    age > 0 && !hasFallen && smoothed.twice >= Self.ample
      && (Self.far...Self.farthest).contains(abs(missing))
  }

  /// How far from 1 the ratio lies in a burst, and between two.
  private func burst(_ missing: Double) -> Double {
    guard age.truncatingRemainder(dividingBy: Self.burstPeriod) < Self.burst else { return 0 }
    return missing < 0 ? -Self.farLimit : Self.farLimit
  }

  private mutating func look(_ now: MonotonicTime, _ held: Double) {
    let step = lastUpdate.map { (now - $0).seconds } ?? .infinity
    lastUpdate = now
    guard step <= Self.longestPause else {
      smoothed = (held, held)
      age = 0
      return
    }
    guard step > 0 else { return }
    age += step
    // At first a plain average of all that was seen.
    let share = step / min(age, Self.smoothing)
    smoothed.once += (held - smoothed.once) * share
    smoothed.twice += (smoothed.once - smoothed.twice) * share
  }

  /// How far from 1 the ratio lies for so many seconds missing: no jump anywhere.
  private static func steering(_ missing: Double) -> Double {
    let distance = abs(missing)
    let near = min(limit, distance * proportion)
    let size = distance <= far ? near : min(farLimit, limit + (distance - far) * growth)
    return missing < 0 ? -size : size
  }
}
