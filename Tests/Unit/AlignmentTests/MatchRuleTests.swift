import Testing

@testable import Alignment

/// The decision for one place.
struct MatchRuleTests {
  @Test("A candidate next to a peak climbs it, because it prevents another candidate there")
  func climbing() {
    var candidates = LagCandidates()
    candidates.insert(1_000)
    candidates.record(.init(correlation: 0.8, lag: 1_002), of: 0)
    #expect(candidates.lag(of: 0) == 1_002)
    candidates.record(.init(correlation: 0.5, lag: 1_004), of: 0)
    candidates.record(.init(correlation: 0.8, lag: 1_001), of: 0)
    #expect(candidates.lag(of: 0) == 1_002)
    candidates.record(.init(correlation: -0.95, lag: 1_003.4), of: 0)
    #expect(candidates.lag(of: 0) == 1_003)
    candidates.record(LagCandidates.missing, of: 0)
    #expect(candidates.lag(of: 0) == 1_003)
  }

  @Test("A neighbour that moved to the best place does not refute it, although the first windows are damaged")
  func neighbours() throws {
    var candidates = LagCandidates()
    for lag in [1_000, 1_006] { candidates.insert(lag) }
    // The decoder of the new stream starts in the middle of a frame.
    let best: [Float] = [0.77, 0.99, 0.99, 0.99, 0.99, 0.99, 0.99, 0.99]
    let neighbour: [Float] = [0.62, -0.92, 0.99, 0.99, 0.99, 0.99, 0.99, 0.99]
    for window in best.indices {
      candidates.record(.init(correlation: best[window], lag: 1_000), of: 0)
      candidates.record(.init(correlation: neighbour[window], lag: window < 2 ? 1_006 : 1_000), of: 1)
    }
    let energies = [Float](repeating: 1e9, count: best.count)
    let rule = MatchRule(candidates: candidates, energies: energies, windowCount: best.count)
    #expect(try #require(rule.decide()).lag == 1_000)
  }
}
