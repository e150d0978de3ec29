/// Measures the correlation of a window of the new stream near a place of the old stream, also between two samples.
///
/// Allocated at creation.
struct LagProbe {
  /// The greatest correlation near a place, and the new stream's place for it, in samples of the old stream.
  struct Reading {
    var correlation: Float
    var lag: Float
  }

  private var products: [Float]
  private let kernel: [Float]

  /// Maximum distance from the place, in samples.
  static let range = 2
  private static let taps = 8
  private static let steps = 8
  /// Samples of the old stream that are needed before and after the window.
  static let margin = range + taps

  init() {
    products = [Float](repeating: 0, count: 2 * Self.margin + 1)
    kernel = (0..<Self.steps).flatMap { step in
      (0..<2 * Self.taps).map { tap in
        let place = Double(tap - Self.taps + 1) - Double(step) / Double(Self.steps)
        return Float(Wave.windowedSinc(place, cutoff: 0.5, reach: Double(Self.taps)))
      }
    }
  }

  /// True if the old stream contains the window at `place` and its surroundings.
  static func covers(_ place: Int, in old: LowRateTrack) -> Bool {
    place >= margin && place + LowRate.window + margin <= old.count
  }

  /// Measures the window at `start` of `new`, whose energy is `energy`, near `place` of `old`.
  mutating func measure(
    _ new: LowRateTrack, at start: Int, _ energy: Float, near place: Int, of old: LowRateTrack
  ) -> Reading {
    for index in products.indices {
      products[index] = Self.product(new, start, old, place - Self.margin + index)
    }
    let scale = max(1, energy * old.energy(at: place)).squareRoot()
    let last = 2 * Self.range * Self.steps
    var best = 0
    for step in 0...last where abs(value(at: step)) > abs(value(at: best)) { best = step }
    let middle = value(at: best)
    var distance = Float(best)
    if best > 0, best < last {
      let (before, after) = (value(at: best - 1), value(at: best + 1))
      let curve = before - 2 * middle + after
      if curve != 0 { distance += max(-0.5, min(0.5, (before - after) / (2 * curve))) }
    }
    let lag = Float(place - start - Self.range) + distance / Float(Self.steps)
    return Reading(correlation: max(-1, min(1, middle / scale)), lag: lag)
  }

  /// Returns the product between two samples; step 0 lies `range` samples before the place.
  private func value(at step: Int) -> Float {
    let (whole, part) = (step / Self.steps, step % Self.steps)
    guard part != 0 else { return products[whole + Self.taps] }
    var sum: Float = 0
    for tap in 0..<2 * Self.taps { sum += kernel[part * 2 * Self.taps + tap] * products[whole + tap + 1] }
    return sum
  }

  private static func product(_ new: LowRateTrack, _ start: Int, _ old: LowRateTrack, _ place: Int) -> Float {
    var sum: Int64 = 0
    for index in 0..<LowRate.window {
      sum &+= Int64(Int32(new.samples[start &+ index]) &* Int32(old.samples[place &+ index]))
    }
    return Float(sum)
  }
}
