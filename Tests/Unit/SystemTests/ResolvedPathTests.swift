import Testing

@testable import System

@Suite struct ResolvedPathTests {
  @Test(
    "A path is resolved where it leads somewhere",
    arguments: [("/etc/../", "/"), ("/nowhere/a", nil)] as [(String, String?)])
  func resolves(_ path: String, _ resolved: String?) { #expect(resolvedPath(path) == resolved) }
}
