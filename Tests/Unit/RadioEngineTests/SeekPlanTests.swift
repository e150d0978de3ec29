import Testing
import Units

@testable import Network
@testable import RadioEngine

@Suite struct SeekPlanTests {
  typealias Situation = RadioBench.Situation

  struct Row: Sendable, CustomTestStringConvertible {
    let situations: [Situation]
    let plans: [SeekPlan]
    var testDescription: String { situations.map(\.rawValue).joined(separator: ", ") }

    init(_ situations: Situation..., plans: SeekPlan...) { (self.situations, self.plans) = (situations, plans) }
  }

  /// Plans from second 5 with 20 s buffered, for a station and for a file of 100 s. Columns: rewind by 2 s and 60 s,
  /// forward by 2 s and 60 s, live, oldest, second 200.
  static let rows = [
    Row(
      .stopped, .connecting, .buffering, plans: .stays, .stays, .stays, .stays, .stays, .stays, .stays),
    // One second stays buffered; at live the wait time stays buffered.
    Row(
      .playing, .lost, .starved, .paused, .resting, .suspended,
      plans: .jumps(to: 3), .jumps(to: 0), .jumps(to: 7), .jumps(to: 19), .jumps(to: 10), .jumps(to: 0),
      .jumps(to: 19)),
    Row(
      .file, .pausedFile,
      plans: .jumps(to: 3), .jumps(to: 0), .jumps(to: 7), .reloads(from: 65), .jumps(to: 10), .jumps(to: 0),
      .reloads(from: 100)),
  ]

  @Test func rowsAreWhole() { #expect(Set(Self.rows.flatMap(\.situations)) == Set(Situation.allCases)) }

  @Test("Each order returns its goal", arguments: rows)
  func answers(_ row: Row) throws {
    let orders: [(Radio) -> SeekPlan] = [
      { $0.rewind(by: 2) }, { $0.rewind(by: 60) }, { $0.forward(by: 2) }, { $0.forward(by: 60) }, { $0.goLive() },
      { $0.goOldest() }, { $0.seek(to: 200) },
    ]
    for situation in row.situations {
      for (order, plan) in zip(orders, row.plans) {
        let bench = try RadioBench.inSituation(situation)
        #expect(order(bench.radio) == plan, "\(situation)")
      }
    }
  }

  @Test("Live is never backwards: a nearer listener stays")
  func staysAtLive() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.sound(at: 12)
    #expect(bench.radio.goLive() == .stays)
  }

  @Test(
    "A plan has its goal's position",
    arguments: [(SeekPlan.stays, nil), (.jumps(to: 3), 3), (.reloads(from: 4), 4)] as [(SeekPlan, Double?)])
  func position(_ plan: SeekPlan, _ position: Double?) { #expect(plan.position == position) }
}
