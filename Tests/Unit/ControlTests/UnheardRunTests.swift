import Testing

@testable import Control

@Suite struct UnheardRunTests {
  @Test(
    "Only stations since the last audible one count",
    arguments: [("", 0), ("e", 1), ("ee", 2), ("se", 0), ("see", 1), ("eese", 0), ("sse", 0), ("esee", 1)])
  func count(steps: String, expected: Int) {
    var run = UnheardRun()
    for step in steps { step == "s" ? run.sounds() : run.ends() }
    #expect(run.count == expected)
  }
}
