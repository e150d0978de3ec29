/// A live programme: what a visitor hears depends on when he comes, after a burst that reaches back.
public final class Broadcast: Sendable {
  private let whole: [UInt8]
  private let byteRate: Double
  private let burst: Double
  private let start = Locked<Double?>(nil)
  private let borders: [Int]

  /// `clip` on the air from the first visit on; each visitor gets so many seconds at once, the first its beginning.
  public init(_ clip: Clip, burst: Double) {
    (whole, byteRate) = (clip.bytes, clip.byteRate)
    self.burst = burst
    borders = clip.packets.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.bytes.count) }
  }

  /// Seconds on the air when a visitor came.
  public func age(_ visit: ScriptedStation.Visit) -> Double {
    start.withLock { start in
      start = start ?? visit.time
      return visit.time - (start ?? visit.time)
    }
  }

  /// What a visitor gets: for so many seconds beyond the burst, from a packet's border on to any byte.
  public func air(_ visit: ScriptedStation.Visit, for seconds: Double = 3_600) -> [Act] {
    let entry = min(Int(age(visit) * byteRate), whole.count)
    let first = borders.first { $0 >= entry } ?? whole.count
    let last = min(whole.count, first + Int((burst + seconds) * byteRate))
    return [.pace(Array(whole[first..<last]), perSecond: byteRate, burst: Int(burst * byteRate))]
  }
}
