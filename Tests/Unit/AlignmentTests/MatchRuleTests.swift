import Testing

@testable import Alignment

/// The decision for one place.
struct MatchRuleTests {
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
