import MediaSupport
import TestSupport
import Units

/// A live programme at 128 and at 64 kbit/s, for a listener whose line is slow for a time.
public struct SlowLine: Sendable {
  /// The times of the slow line.
  public struct Plan: Sendable {
    /// Speed of the slow line in multiples of the high bit rate.
    public var share = 0.75
    /// Start of the slow time, in seconds since the first visit.
    public var start = 4.0
    /// Duration of the slow time in seconds.
    public var duration = 60.0
    /// Seconds that a new listener receives as fast as the line allows.
    public var burst = 2.0
    /// Number of repetitions of 100 s.
    public var laps = 1
    /// True if the stations send `icy-br`.
    public var isMarked = true

    /// Creates a line at 75 % of the high bit rate from 4 to 64 s.
    public init() {}
  }

  /// The station with the high bit rate.
  public let main: ScriptedStation
  /// The station with the low bit rate.
  public let lower: ScriptedStation

  /// Creates the stations.
  public init(_ plan: Plan = Plan()) throws {
    let programmes = [128, 64].map { Clip(ToneMp3.frames(3_828, kilobits: $0)) }
    let all = programmes.map { clip in
      let bytes = clip.bytes
      return (0..<plan.laps).flatMap { _ in bytes }
    }
    let age = Broadcast(programmes[1], burst: plan.burst)
    let (high, low) = (programmes[0].byteRate, programmes[1].byteRate)
    main = try ScriptedStation { visit in
      let now = age.age(visit)
      return [.live(plan.isMarked ? "icy-br: 128" : "X: 1")] + Self.main(all[0][Int(now * high)...], high, now, plan)
    }
    lower = try ScriptedStation { visit in
      let bytes = all[1][Int(age.age(visit) * low)...]
      // The line limits the speed of the burst.
      let speed = plan.share * high / low
      let fast = Int(plan.burst / (speed - 1) * speed * low)
      return [
        .live(plan.isMarked ? "icy-br: 64" : "X: 1"),
        .pace(Array(bytes.prefix(fast)), perSecond: low * speed, burst: 0),
        .pace(Array(bytes.dropFirst(fast)), perSecond: low, burst: 0),
      ]
    }
  }

  private static func main(
    _ bytes: ArraySlice<UInt8>, _ rate: Double, _ now: Double, _ plan: Plan
  ) -> [StationAction] {
    let end = plan.start + plan.duration
    guard now < end else { return [.pace(Array(bytes), perSecond: rate, burst: Int(plan.burst * rate))] }
    let burst = now < plan.start ? Int(plan.burst * rate) : 0
    let normal = max(0, Int((plan.start - now) * rate)) + burst
    let slow = Int((end - max(now, plan.start)) * rate * plan.share)
    let rest = bytes.dropFirst(normal)
    return [
      .pace(Array(bytes.prefix(normal)), perSecond: rate, burst: burst),
      .pace(Array(rest.prefix(slow)), perSecond: rate * plan.share, burst: 0),
      .pace(Array(rest.dropFirst(slow)), perSecond: rate, burst: 0),
    ]
  }

  /// Closes the stations.
  public func close() {
    main.close()
    lower.close()
  }
}
