import Foundation
import System
import TestSupport

/// Runs cases in parallel, because each case mostly waits.
enum StallPool {
  struct Outcome {
    var failed: [StallResult] = []
    var excused: [StallResult] = []
    var report = ""
  }

  /// Speed of the clock, and number of parallel cases. A higher speed makes this machine late.
  static let speed = number("BAKELITE_STALL_SPEED") ?? 8
  static let atOnce = number("BAKELITE_STALL_JOBS") ?? 12
  /// Speed for repeating cases that failed on a late machine.
  private static let calmSpeed = 3
  private static let calmAtOnce = 2
  /// More failures than this are not excused by a late machine.
  private static let maxRepeats = 24
  private static let maxLastRepeats = 4

  static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

  /// Runs all cases, and repeats failures of a late machine at lower speeds.
  static func judge(_ cases: [StallCase]) -> Outcome {
    let start = Date()
    let results = run(cases, speed: speed, atOnce: atOnce)
    let suspects = results.filter { !$0.faults.isEmpty }
    for result in suspects { print("\(result.isLate ? "late, to be run again" : "stalled"): \(result.line)") }
    var outcome = Outcome(failed: suspects.filter { !$0.isLate })
    let late = suspects.filter(\.isLate)
    for first in late.dropFirst(maxRepeats) { outcome.failed.append(first) }
    let again = run(late.prefix(maxRepeats).map(\.item), speed: calmSpeed, atOnce: calmAtOnce)
    let stillFailed = again.filter { !$0.faults.isEmpty }
    outcome.failed += stillFailed.filter { !$0.isLate }
    let doubtful = stillFailed.filter(\.isLate)
    outcome.failed += doubtful.dropFirst(maxLastRepeats)
    let last = run(doubtful.prefix(maxLastRepeats).map(\.item), speed: 1, atOnce: 1).filter { !$0.faults.isEmpty }
    outcome.failed += last.filter { !$0.isLate }
    outcome.excused = last.filter(\.isLate)
    let clock = results.reduce(0) { $0 + $1.seconds } / Double(max(1, results.count))
    outcome.report =
      "stalls: \(cases.count) cases in \(Int(Date().timeIntervalSince(start))) s, "
      + String(format: "%.1f", clock) + " s each by their clock, \(results.count { $0.isLate }) late, "
      + "\(again.count) run again, \(outcome.failed.count) failed, \(outcome.excused.count) excused"
    return outcome
  }

  static func run(_ cases: [StallCase], speed: Int, atOnce: Int) -> [StallResult] {
    StallMaterial.prepare()
    return TestThreads.map(cases, speed: speed, atOnce: atOnce) { one($0) }
  }

  static func one(_ item: StallCase) -> StallResult {
    do {
      return try StallRun(item).run()
    } catch {
      return StallResult(item: item, faults: ["cannot be run: \(error)"])
    }
  }
}
