import Foundation
import System
import TestSupport
import Testing

/// The table of stalls: data stalls, and audio returns (R2.2).
///
/// `BAKELITE_STALL_CASE='…'` runs one case in text form and prints its log; ";" separates several cases, whose logs are
/// printed on failure.
/// `BAKELITE_STALLS=3/8` runs the third of eight parts of the table instead of the pairwise selection and all cases
/// that ever failed.
/// `BAKELITE_STALL_STORIES=FILE` writes the logs of all failures.
/// `BAKELITE_STALL_SPEED` and `BAKELITE_STALL_JOBS` set the clock's speed and the number of parallel cases.
@Suite struct StallTests {
  private static func setting(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  @Test("After a stall, audio returns in time and the programme plays to its end")
  func table() async throws {
    if let name = Self.setting("BAKELITE_STALL_CASE") { return try await Self.stories(name) }
    let cases: [StallCase]
    if let part = Self.setting("BAKELITE_STALLS") {
      let numbers = part.split(separator: "/").compactMap { Int($0) }
      try #require(numbers.count == 2 && (1...numbers[1]).contains(numbers[0]), "BAKELITE_STALLS is such as 3/8")
      cases = StallTable.part(numbers[0], of: numbers[1])
    } else {
      cases = StallTable.chosen
    }
    let outcome = Locked(StallPool.Outcome())
    try await Stage.run(isAlone: true) {
      let judged = StallPool.judge(cases)
      outcome.withLock { $0 = judged }
    }
    let (failed, excused, report) = outcome.withLock { ($0.failed, $0.excused, $0.report) }
    print(report)
    for result in excused { print("excused: \(result.line)") }
    for result in failed { print("stalled: \(result.line)") }
    if let path = Self.setting("BAKELITE_STALL_STORIES") {
      let stories = failed.map { "\($0.line)\n\($0.story.joined(separator: "\n"))\n" }.joined(separator: "\n")
      try stories.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(failed.map(\.line) == [])
    #expect(excused.count * 50 <= cases.count, "the machine is too busy to tell")
  }

  private static func stories(_ names: String) async throws {
    let cases = try names.split(separator: ";").map { try #require(StallCase(String($0)), "no case is written so") }
    try await Stage.run(isAlone: true) {
      for result in StallPool.run(cases, speed: StallPool.speed, atOnce: StallPool.atOnce) {
        print("\(result.item): \(result.isLate ? "late, " : "")\(String(format: "%.1f", result.seconds)) s")
        if cases.count == 1 || !result.faults.isEmpty { print(result.story.joined(separator: "\n")) }
        #expect(result.faults == [], "\(result.item)")
      }
    }
  }
}

@Suite struct StallTableTests {
  @Test("The sample covers each pair of values, is small, and is repeatable")
  func pairs() {
    var count = 0
    for sizes in [StallTable.streams, StallTable.segments, StallTable.accesses].map(\.sizes) {
      let rows = Pairwise(sizes, seed: 18).rows
      let met = Set(rows.flatMap { Pairwise.pairs(in: $0) })
      #expect(met == Pairwise.pairs(of: sizes))
      #expect(rows == Pairwise(sizes, seed: 18).rows)
      count += rows.count
    }
    #expect(StallTable.chosen.count <= 230)
    print("stalls: \(count) pairs' cases and \(StallTable.everFailed.count) named ones of \(StallTable.all.count)")
  }

  @Test("A case is read as it is written")
  func names() {
    let item = StallCase(
      source: .live, stall: 7, moment: .midst, blocks: 24, isFixed: true, kilobits: 128, line: 1, restart: .none)
    #expect("\(item)" == "live stall=7s@midst blocks=24 fixed 128k line=1.0 restart=none")
    #expect("\(StallCase(source: .segments, restart: .pause))".hasPrefix("hls ") && StallCase("hls-file") != nil)
    for item in StallTable.chosen { #expect(StallCase("\(item)") == item) }
    #expect(StallTable.everFailed.count == StallTable.everFailedNames.count)
    #expect(StallTable.everFailed.map { "\($0)" } == StallTable.everFailedNames)
    #expect(StallCase("live stall=7@midst") == nil && StallCase("tape") == nil)
  }

  @Test("The parts contain every case once")
  func parts() {
    let all = StallTable.all
    let parts = (1...7).flatMap { StallTable.part($0, of: 7) }
    #expect(parts.count == all.count && Set(parts) == Set(all))
  }

  @Test("The prebuffer at start and after a stall follows its rules (R2.2)")
  func gathering() {
    typealias Row = (Gathering, start: Double, refill: Double, reconnect: Double)
    let rows: [Row] = [
      (Gathering(), 1, 7, 1),
      (Gathering(isFixed: true), 10, 7, 1),
      (Gathering(isLive: false), 3, 3, 1),
      (Gathering(isLive: false, isFixed: true), 3, 3, 1),
      (Gathering(isFixed: true, waitLive: 4), 4, 4, 1),
      (Gathering(waitLive: 0.5), 0.5, 0.5, 0.5),
      (Gathering(isLive: false, waitFile: 12), 12, 7, 1),
      (Gathering(isLive: false, isFixed: true, waitFile: 12), 12, 7, 1),
      // 12 of 24 blocks are 3.84 s at 128 kbit/s; 4 of 16 are 0.5 s at 320 kbit/s.
      (Gathering(blocks: 24), 1, 3.84, 1),
      (Gathering(isFixed: true, blocks: 24), 3.84, 3.84, 1),
      (Gathering(isLive: false, blocks: 16, byteRate: 40_000), 0.512, 0.512, 0.512),
      (Gathering(isFixed: true, waitLive: 30), 30, 7, 1),
    ]
    for (rule, start, refill, reconnect) in rows {
      #expect(abs(rule.start - start) < 1e-9, "\(rule)")
      #expect(abs(rule.refill - refill) < 1e-9, "\(rule)")
      #expect(abs(rule.afterReconnect - reconnect) < 1e-9, "\(rule)")
    }
  }
}
