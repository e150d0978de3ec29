import Foundation
import Testing

@testable import TestSupport

/// What a late machine excuses is told, and looked at only where an assertion does not hold.
@Suite struct ExcuseTests {
  @Test("an assertion that holds is not excused, however late the machine was")
  func holds() {
    var hasAsked = false
    let verdict = Excuses.Verdict(true) {
      hasAsked = true
      return true
    }
    #expect(verdict == .held && !hasAsked)
  }

  @Test("one that does not is excused by a late machine alone", arguments: [(true, "excused"), (false, "failed")])
  func doesNotHold(_ isLate: Bool, _ verdict: String) {
    #expect(Excuses.Verdict(false) { isLate }.rawValue == verdict)
  }

  @Test("nothing excuses an assertion that is not counted")
  func allAreCounted() {
    let found = Repository.swift(below: "Tests/").filter { $0.target != "TestSupport" }.flatMap {
      $0.places(of: #"\.(wasLate|isPoor)\b"#)
    }
    #expect(found == [])
  }
}

/// The steps of `.ci/run` and of `Tests/run`: their exit code says whether a change may land.
@Suite struct StepTests {
  @Test(
    "a run exits with 0 where every step passed, and with 1 where one failed", arguments: [("true", 0), ("false", 1)])
  func exitCode(_ command: String, _ code: Int32) throws {
    let run = try run(
      """
      step first true
      step --needs first second \(command)
      end_steps || exit 1
      echo all passed
      """)
    #expect(run.status == code, "\(run.text)")
    #expect(run.text.contains("all passed") == (code == 0))
  }

  @Test("what a step started ends with the run")
  func ends() throws {
    let run = try run(
      """
      step waits bash -c 'sleep 20 & echo $! >child; wait'
      while [ ! -s child ]; do sleep 0.05; done
      echo "child $(<child)"
      end_jobs
      while grep -qs 'State:.[^Z]' /proc/$(<child)/status; do sleep 0.05; done
      """)
    #expect(run.status == 0, "\(run.text)")
    let line = run.text.split(separator: "\n").first { $0.hasPrefix("child ") }
    let child = try #require(line.flatMap { Int32($0.dropFirst("child ".count)) }, "\(run.text)")
    // It is gone, or nobody has yet asked how it ended.
    let state = try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)
    #expect(state.map { $0.contains("State:\tZ") } ?? true)
  }

  /// Runs steps by a script, as `.ci/run` does, in a folder of its own.
  private func run(_ script: String) throws -> (status: Int32, text: String) {
    let bash = try #require(Tool("bash"))
    let folder = FileManager.default.temporaryDirectory.appending(path: "steps-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let steps = Repository.root.appending(path: "Tests/steps").path
    return try bash.run(["-c", "set -euo pipefail; cd '\(folder)'; . '\(steps)'; begin_steps logs\n\(script)"])
  }
}
