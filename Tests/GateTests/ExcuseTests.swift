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
