import System
import TestSupport

/// A live programme: a visitor's start position depends on the time of the visit.
public final class Broadcast: Sendable {
  private let whole: [UInt8]
  private let byteRate: Double
  private let burst: Double
  private let start = Locked<Double?>(nil)
  private let packetOffsets: [Int]

  /// Creates a programme that starts with the first visit. `burst`: seconds that a visitor receives at once.
  public init(_ clip: Clip, burst: Double) {
    (whole, byteRate) = (clip.bytes, clip.byteRate)
    self.burst = burst
    packetOffsets = clip.packets.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.bytes.count) }
  }

  /// Returns the age of the programme at a visit, in seconds.
  public func age(_ visit: ScriptedStation.Request) -> Double {
    start.withLock { start in
      start = start ?? visit.time
      return visit.time - (start ?? visit.time)
    }
  }

  /// Returns the actions for a visitor: `burst` plus `seconds` of audio from a packet's border, cut at any byte.
  public func actions(_ visit: ScriptedStation.Request, for seconds: Double = 3_600) -> [StationAction] {
    let entry = min(Int(age(visit) * byteRate), whole.count)
    let first = packetOffsets.first { $0 >= entry } ?? whole.count
    let last = min(whole.count, first + Int((burst + seconds) * byteRate))
    return [.pace(Array(whole[first..<last]), perSecond: byteRate, burst: Int(burst * byteRate))]
  }
}
