import Http
import Testing
import Units

@testable import Network

/// The choice of a source for a slow line.
@Suite struct SourceRatesTests {
  private static func url(_ name: String) -> StationAddress { StationAddress("http://\(name).example/") }

  /// Returns the name of the chosen source. `rates`: bit rates in kbit/s, 0 if unknown.
  private static func choice(
    _ rates: [(name: String, rate: Int)], than limit: Int?, line: Double?, failed: [String] = [],
    after seconds: Double = 1
  ) throws -> String? {
    var known = SourceRates()
    for (name, rate) in rates { known.record(rate * 1_000, of: url(name)) }
    for name in failed { known.recordFailure(of: url(name), at: .zero) }
    let others = try rates.map { Candidates.Candidate(address: try WebAddress(url($0.name))) }
    let limit = limit.map { $0 * 1_000 }
    let chosen = known.lower(
      than: limit, line: line.map { $0 * 1_000 }, among: others, at: .zero + Duration(seconds: seconds))
    return chosen.flatMap { chosen in rates.first { url($0.name) == chosen.address.url }?.name }
  }

  @Test(
    "The highest bit rate that the line allows is chosen, else the lowest, and an unknown one last (F6)",
    arguments: [
      ([("a", 96), ("b", 64), ("c", 32)], 128, 96, "b"), ([("a", 96), ("b", 64), ("c", 32)], 128, 110, "a"),
      ([("a", 96), ("b", 64), ("c", 32)], 128, 20, "c"), ([("a", 96), ("b", 64)], 128, nil, "a"),
      ([("a", 128), ("b", 320)], 128, 96, nil), ([("a", 0), ("b", 64)], 128, 96, "b"),
      ([("a", 128), ("b", 0), ("c", 0)], 128, 96, "b"), ([("a", 64), ("b", 0)], nil, nil, "b"), ([], 128, 96, nil),
    ] as [([(name: String, rate: Int)], Int?, Double?, String?)])
  func choice(rates: [(name: String, rate: Int)], limit: Int?, line: Double?, expected: String?) throws {
    #expect(try Self.choice(rates, than: limit, line: line) == expected)
  }

  @Test("A source that failed is chosen again after ten minutes")
  func failure() throws {
    let rates = [(name: "a", rate: 64), (name: "b", rate: 32), (name: "c", rate: 0)]
    func chosen(_ failed: [String], _ seconds: Double) throws -> String? {
      try Self.choice(rates, than: 128, line: 96, failed: failed, after: seconds)
    }
    #expect(try chosen(["a"], 599) == "b")
    #expect(try chosen(["a", "b"], 599) == "c")
    #expect(try chosen(["a", "b", "c"], 599) == nil)
    #expect(try chosen(["a", "b", "c"], 600) == "a")
  }
}
