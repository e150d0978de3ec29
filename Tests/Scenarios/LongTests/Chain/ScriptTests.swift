import Foundation
import System
import TestSupport
import Testing

/// Random scripts of two to five sources that deliver, fall silent, refuse, are missing or send silence, with the whole
/// engine (F4, F5). A failure prints its seed.
///
/// `BAKELITE_ENGINE_SCRIPTS=2/4` runs the second of four parts of 10,000 scripts instead of six.
/// `BAKELITE_SCRIPT_SEED=7` runs one script and prints its log.
/// `BAKELITE_SCRIPT_SPEED` and `BAKELITE_SCRIPT_JOBS` set the clock's speed and the number of parallel scripts.
@Suite struct ScriptTests {
  private static func setting(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
  private static func number(_ name: String) -> Int? { setting(name).flatMap { Int($0) } }

  private static var seeds: [UInt64] {
    if let seed = number("BAKELITE_SCRIPT_SEED") { return [UInt64(seed)] }
    let part = setting("BAKELITE_ENGINE_SCRIPTS")?.split(separator: "/").compactMap { UInt64($0) } ?? []
    guard part.count == 2, part[0] >= 1, part[1] >= part[0] else { return Array(1...6) }
    return Array(stride(from: part[0], through: 10_000, by: Int(part[1])))
  }

  @Test("While a source delivers, sound returns in time; a stop ends all, and so does sound the tone (F4)")
  func scripts() async throws {
    let seeds = Self.seeds
    let results = Locked<[ScriptResult]>([])
    let speed = Self.number("BAKELITE_SCRIPT_SPEED") ?? 12
    let jobs = Self.number("BAKELITE_SCRIPT_JOBS") ?? 12
    try await Stage.run(isAlone: true) {
      var done = Self.run(seeds, speed: speed, atOnce: jobs)
      let late = done.filter { !$0.faults.isEmpty && $0.isLate }
      for result in late.prefix(20) { print("late, to be run again: \(result.seed), \(result.faults)") }
      if late.count <= 20 {
        // Failures of a late machine prove nothing.
        let again = Self.run(late.map(\.seed), speed: 2, atOnce: 2)
        done = done.filter { $0.faults.isEmpty || !$0.isLate } + again
      }
      results.withLock { $0 = done }
    }
    let all = results.withLock { $0 }
    let audio = Int(all.reduce(0) { $0 + $1.seconds })
    let (late, longest) = (all.count { $0.isLate }, all.map(\.silence).max() ?? 0)
    print("scripts: \(all.count) scripts, \(audio) s of audio, longest silence \(longest) s, \(late) late")
    for result in all where !result.faults.isEmpty || seeds.count == 1 {
      print("\(ScriptPlan(result.seed))\n" + result.story.joined(separator: "\n"))
    }
    #expect(all.filter { !$0.faults.isEmpty }.map { "seed \($0.seed): \($0.faults)" } == [])
  }

  private static func run(_ seeds: [UInt64], speed: Int, atOnce: Int) -> [ScriptResult] {
    ScriptSource.prepare()
    return TestThreads.map(seeds, speed: speed, atOnce: atOnce) { one($0) }
  }

  private static func one(_ seed: UInt64) -> ScriptResult {
    do { return try ScriptRun(seed).run() } catch {
      return ScriptResult(seed: seed, faults: ["cannot be run: \(error)"])
    }
  }
}
