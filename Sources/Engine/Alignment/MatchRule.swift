/// Decides if the windows prove one place of the new stream in the old one.
///
/// The best place must explain the windows up to the end of the common part, and each other place must explain the same
/// windows worse. Silence proves nothing; a tone or a loop has several places that explain the windows equally.
struct MatchRule {
  struct Place {
    /// Place of the new stream's first sample in the old stream.
    var lag: Float
    var likeness: Float
    var isInverted: Bool
  }

  let candidates: LagCandidates
  /// Energy of each window of the new stream.
  let energies: [Float]
  let windowCount: Int

  /// Minimum correlation of a window that fits.
  static let fit: Float = 0.6
  /// Minimum number of windows that fit.
  static let minFits = 5
  /// Number of last windows of the common part, and the minimum that fits.
  static let (lastCount, minLastFits) = (4, 3)
  /// Minimum ratio and difference of the unexplained energy of another place.
  static let (minRatio, minDifference): (Float, Float) = (2, 0.01)
  /// Minimum mean correlation of the last windows that fit. Different codecs of one programme reach 0.94.
  static let minLikeness: Float = 0.9
  /// Number of common windows without which another place is not compared.
  static let minCommon = 2

  private var floor: Float {
    var most: Float = 0
    for window in 0..<windowCount { most = max(most, energies[window]) }
    return max(256 * Float(LowRate.window), most / 10_000)
  }

  /// Returns the proven place; nil without a proof.
  func decide() -> Place? {
    let floor = floor
    var (best, most): (Int?, Float) = (nil, 0)
    for candidate in 0..<candidates.count {
      let sum = support(candidate, floor)
      if sum > most { (best, most) = (candidate, sum) }
    }
    guard let best, isContinuous(best, floor) else { return nil }
    for other in 0..<candidates.count where other != best && !isRefuted(other, by: best, floor) { return nil }
    let place = place(best, floor)
    return place.likeness >= Self.minLikeness ? place : nil
  }

  private func fits(_ candidate: Int, _ window: Int, _ floor: Float) -> Bool {
    guard energies[window] >= floor, let reading = candidates.reading(of: candidate, window) else { return false }
    return abs(reading.correlation) >= Self.fit
  }

  private func support(_ candidate: Int, _ floor: Float) -> Float {
    var sum: Float = 0
    for window in 0..<windowCount where fits(candidate, window, floor) {
      let correlation = candidates.reading(of: candidate, window)?.correlation ?? 0
      sum += correlation * correlation
    }
    return sum
  }

  /// True if enough windows fit, most of the last ones too.
  private func isContinuous(_ candidate: Int, _ floor: Float) -> Bool {
    var (all, seen, last) = (0, 0, 0)
    for window in (0..<windowCount).reversed() where energies[window] >= floor {
      guard candidates.reading(of: candidate, window) != nil else { continue }
      let isFit = fits(candidate, window, floor)
      if isFit { all += 1 }
      if seen < Self.lastCount, isFit { last += 1 }
      seen += 1
    }
    return all >= Self.minFits && last >= Self.minLastFits
  }

  private func isRefuted(_ other: Int, by best: Int, _ floor: Float) -> Bool {
    // The good windows of a neighbour have moved it to the best place.
    if abs(candidates.lag(of: other) - candidates.lag(of: best)) <= LagProbe.range { return true }
    var (common, mine, theirs): (Int, Float, Float) = (0, 0, 0)
    for window in 0..<windowCount where fits(best, window, floor) {
      guard let own = candidates.reading(of: best, window), let rival = candidates.reading(of: other, window) else {
        continue
      }
      // Two neighbours may find the same peak.
      guard abs(own.lag - rival.lag) > 1 else { continue }
      common += 1
      mine += 1 - own.correlation * own.correlation
      theirs += 1 - rival.correlation * rival.correlation
    }
    guard common >= Self.minCommon else { return true }
    return theirs >= Self.minRatio * mine && theirs - mine >= Self.minDifference * Float(common)
  }

  /// Returns the median of the last windows that fit.
  private func place(_ best: Int, _ floor: Float) -> Place {
    var lags = InlineArray<7, Float>(repeating: 0)
    var (count, likeness, sign): (Int, Float, Float) = (0, 0, 0)
    for window in (0..<windowCount).reversed() where count < lags.count && fits(best, window, floor) {
      guard let reading = candidates.reading(of: best, window) else { continue }
      var index = count
      while index > 0, lags[index - 1] > reading.lag {
        lags[index] = lags[index - 1]
        index -= 1
      }
      lags[index] = reading.lag
      count += 1
      likeness += abs(reading.correlation)
      sign += reading.correlation
    }
    return Place(lag: lags[count / 2], likeness: likeness / Float(count), isInverted: sign < 0)
  }
}
