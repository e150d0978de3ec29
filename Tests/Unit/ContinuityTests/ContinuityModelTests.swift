import ContinuitySupport
import Foundation
import Testing

/// The laws of the fallback chain with model players and random scripts (F4, F5). A failure prints its seed.
///
/// `BAKELITE_SCRIPTS` sets the number of scripts for each law.
struct ContinuityModelTests {
  private static let wanted = ProcessInfo.processInfo.environment["BAKELITE_SCRIPTS"].flatMap { UInt64($0) }

  /// Runs the scripts of a law on all processors; returns the first violations.
  private static func violations(of law: ContinuityLaw, _ count: UInt64) async -> [String] {
    let lanes = UInt64(ProcessInfo.processInfo.activeProcessorCount)
    return await withTaskGroup(of: [String].self) { group in
      for lane in 1...lanes {
        group.addTask {
          Array(stride(from: lane, through: count, by: Int(lanes)).lazy.compactMap { law.violation($0) }.prefix(3))
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func check(_ law: ContinuityLaw, usually count: UInt64) async {
    let count = Self.wanted ?? count
    let violations = await Self.violations(of: law, count)
    if Self.wanted != nil { print("continuity: \(count) scripts, seeds 1 to \(count), of the law \(law)") }
    #expect(violations == [])
  }

  @Test("Silence is at most the waits of the sources before one that delivers (F4)")
  func isNeverSilent() async { await check(.sounds, usually: 20_000) }

  @Test("A radio whose sources return plays again within 6 min, or else its tone (F4)")
  func moves() async { await check(.moves, usually: 2_000) }

  @Test("A station that flaps each minute causes at most six changes in an hour")
  func flapping() async { await check(.flaps, usually: 500) }

  @Test("A first choice that delivers again returns (F5)")
  func returns() async { await check(.returns, usually: 2_000) }
}
