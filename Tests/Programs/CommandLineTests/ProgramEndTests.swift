import TestSupport
import Testing

/// The tests' own wait for the end of a program.
@Suite struct ProgramEndTests {
  @Test("The end of a program is noticed while a process that it started has its descriptors")
  func grandchild() async throws {
    try await Stage.run {
      let start = monotonicSeconds()
      let program = try Program(["--version"], by: ["/bin/sh", "-c", "sleep 60 & \"$0\" \"$@\"; exit 7"])
      let outcome = try program.waitForEnd(within: 30)
      #expect(outcome.code == 7 && outcome.outputText.hasPrefix("bakelite ") && monotonicSeconds() - start < 30)
    }
  }
}
