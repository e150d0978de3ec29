import Testing

@testable import System

@Suite struct ResolvedPathTests {
  @Test(
    "An existing path is resolved",
    arguments: [("/etc/../", "/"), ("/nowhere/a", nil)] as [(String, String?)])
  func resolves(_ path: String, _ resolved: String?) { #expect(resolvedPath(path) == resolved) }

  @Test(
    "A missing path is absolute or relative to the working directory",
    arguments: [("/etc/../", "/"), ("/nowhere/a", "/nowhere/a"), ("./", nil), ("nowhere/a", "/nowhere/a")]
      as [(String, String?)])
  func absolute(_ path: String, _ expected: String?) throws {
    let folder = try #require(resolvedPath("."))
    #expect(absolutePath(path) == (path.hasPrefix("/") ? expected : folder + (expected ?? "")))
  }
}
