import Testing
import Units

@testable import Network

struct RetryScheduleTableTests {
  private static func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: 1_000 + seconds) }
  private static let now = time(200)

  /// States of a programme that started 200 s ago.
  enum Standing: String, CaseIterable {
    case new, doubtful, entries, playing, lost, late, refused
  }

  enum Input: String, CaseIterable {
    case connect, refused, serve, play, succeed, hurry, restart, again, resume, next, lose, failPassing, failFinal
    case entry
  }

  private static func tries(_ standing: Standing) -> RetrySchedule {
    var tries = RetrySchedule(at: time(0), seed: 1)
    switch standing {
    case .new: break
    case .doubtful:
      tries.recordFailure(mayPass: true)
      _ = tries.planTry(after: time(190))
    case .entries: for _ in 0..<3 { _ = tries.nextEntry(isLocal: false, at: time(0)) }
    case .playing: tries.recordPlaying()
    case .lost:
      tries.recordPlaying()
      for _ in 0..<2 { _ = tries.countLoss() }
    case .late:
      tries.recordPlaying()
      _ = tries.planTry(after: time(0))
    case .refused:
      tries.recordPlaying()
      tries.recordRefusal(forSeconds: 20, at: time(195))
    }
    return tries
  }

  private static func text(_ moment: MonotonicTime) -> String { "\(Int((moment - time(0)).seconds))" }

  /// Applies an input. Returns the result.
  private static func act(_ input: Input, _ tries: inout RetrySchedule) -> String {
    switch input {
    case .connect: tries.recordTry(at: now)
    case .refused: tries.recordRefusal(forSeconds: 10, at: now)
    case .serve: tries.dropRetryAfter()
    case .play: tries.recordPlaying()
    case .succeed: tries.succeed()
    case .hurry: tries.restartEagerPhase()
    case .restart: tries.reset(seed: 1)
    case .again: tries.restartSearch(at: now)
    case .resume: return text(tries.resume(at: now))
    case .next: return text(tries.planTry(after: now))
    case .lose: return "\(tries.countLoss())"
    case .failPassing: tries.recordFailure(mayPass: true)
    case .failFinal: tries.recordFailure(mayPass: false)
    case .entry: return text(tries.nextEntry(isLocal: false, at: now))
    }
    return ""
  }

  /// The phase, the planned attempts, "late" after the eager phase, and the earliest next attempt.
  private static func text(_ tries: RetrySchedule) -> String {
    var parts: [String]
    switch tries.phase {
    case .searching(let search):
      parts = ["search \(text(search.began))"]
      if search.mayPass { parts.append("may pass") }
      if search.failedEntries > 0 { parts.append("failed \(search.failedEntries)") }
    case .playing(let losses): parts = ["plays \(losses)"]
    }
    if tries.attempt > 0 { parts.append("try \(tries.attempt)") }
    var later = tries
    later.recordTry(at: now)
    if later.planTry(after: now) > now + ReconnectPolicy.minInterval { parts.append("late") }
    if tries.earliestTry(after: now) > now { parts.append("from \(text(tries.earliestTry(after: now)))") }
    return parts.joined(separator: ", ")
  }

  /// Results in the order of `Standing`: the new state, then the returned value after an arrow. A point means no
  /// change.
  static let table: [Input: [String]] = [
    .connect: [
      "search 0, from 201", "search 0, may pass, try 1, from 201", "search 0, failed 3, from 201", "plays 0, from 201",
      "plays 2, from 201", "plays 0, try 1, late, from 201", "plays 0, from 201",
    ],
    .refused: [
      "search 0, from 210", "search 0, may pass, try 1, from 210", "search 0, failed 3, from 210", "plays 0, from 210",
      "plays 2, from 210", "plays 0, try 1, late, from 210", "plays 0, from 210",
    ],
    .serve: ["·", "·", "·", "·", "·", "·", "plays 0"],
    .play: ["plays 0", "plays 0, try 1", "plays 0", "·", "·", "·", "·"],
    .succeed: ["·", "search 0, may pass", "·", "·", "plays 0", "plays 0", "·"],
    .hurry: ["·", "·", "·", "·", "·", "plays 0, try 1", "·"],
    .restart: ["·", "search 0, may pass", "·", "·", "·", "plays 0", "·"],
    .again: ["search 200", "search 200, may pass, try 1", "search 200, failed 3", "·", "·", "·", "·"],
    .resume: [
      "search 200 → 200", "search 200, may pass → 200", "search 200, failed 3 → 200", "· → 200", "· → 200",
      "plays 0 → 200", "· → 215",
    ],
    .next: [
      "search 0, try 1 → 200", "search 0, may pass, try 2 → 200", "search 0, failed 3, try 1 → 200",
      "plays 0, try 1 → 200", "plays 2, try 1 → 200", "plays 0, try 2, late → 201", "plays 0, try 1, from 215 → 215",
    ],
    .lose: [
      "· → 0", "· → 0", "· → 0", "plays 1 → 1", "plays 3 → 3", "plays 1, try 1, late → 1", "plays 1, from 215 → 1",
    ],
    .failPassing: ["search 0, may pass", "·", "search 0, may pass, failed 3", "·", "·", "·", "·"],
    .failFinal: ["·", "·", "·", "·", "·", "·", "·"],
    .entry: [
      "search 0, failed 1 → 200", "search 0, may pass, failed 1, try 1 → 200", "search 0, failed 4 → 200", "· → 200",
      "· → 200", "· → 200", "· → 200",
    ],
  ]

  @Test("Each input has its effect in each state", arguments: Input.allCases)
  func transitions(_ input: Input) throws {
    let row = try #require(Self.table[input])
    try #require(row.count == Standing.allCases.count)
    for (standing, expected) in zip(Standing.allCases, row) {
      var tries = Self.tries(standing)
      let before = Self.text(tries)
      let given = Self.act(input, &tries)
      let after = Self.text(tries)
      let result = (after == before ? "·" : after) + (given.isEmpty ? "" : " → \(given)")
      #expect(result == expected, "\(standing) at \(input)")
    }
  }

  @Test("A long list's next entry is tried while time is left, a short list's always")
  func allowsEntry() {
    let patience = Duration(seconds: 30)
    for (failed, seconds, isAllowed) in [(15, 30.0, true), (16, 29, true), (16, 30, false)] {
      var tries = RetrySchedule(at: Self.time(0), seed: 1)
      for _ in 0..<failed { _ = tries.nextEntry(isLocal: true, at: Self.time(0)) }
      #expect(tries.allowsEntry(within: patience, at: Self.time(seconds)) == isAllowed)
      tries.recordPlaying()
      #expect(tries.allowsEntry(within: patience, at: Self.time(seconds)))
    }
  }
}
