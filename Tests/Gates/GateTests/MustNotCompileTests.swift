import Testing

/// Code that breaks the render thread's rules must not compile. The head of each file in Fixtures contains the expected
/// compiler message (`// expect:`), and a file of the repository to compile with it (`// with:`).
@Suite(.enabled(if: Tool.compiler != nil, "no swiftc in PATH"))
struct MustNotCompileTests {
  static let fixtures = Repository.swift(below: "Tests/Gates/GateTests/Fixtures/")

  @Test func whatKeepsTheRulesCompiles() throws {
    let fixture = try #require(Self.fixtures.first { $0.annotation("compiles") != nil })
    let answer = try #require(Tool.compiler).compile(fixture)
    #expect(answer.status == 0, "\(answer.text)")
  }

  @Test(
    "What breaks the rules does not compile",
    arguments: fixtures.filter { $0.annotation("compiles") == nil }.map(\.path))
  func whatBreaksThemDoesNot(_ path: String) throws {
    let fixture = try #require(Self.fixtures.first { $0.path == path })
    let expected = try #require(fixture.annotation("expect: "), "a fixture says what is expected of it")
    let answer = try #require(Tool.compiler).compile(fixture)
    #expect(answer.status != 0)
    #expect(answer.text.contains(expected), "\(answer.text)")
  }
}

extension SourceFile {
  /// Returns the rest of the first comment line with a mark.
  fileprivate func annotation(_ mark: String) -> String? {
    lines.first { $0.hasPrefix("// " + mark) }.map { String($0.dropFirst(3 + mark.count)) }
  }
}

extension Tool {
  /// Compiles a fixture to SIL, which is where the compiler checks the annotations.
  fileprivate func compile(_ fixture: SourceFile) throws -> (status: Int32, text: String) {
    let files = [fixture.path, fixture.annotation("with: ")].compactMap { $0 }
    return try run(
      ["-emit-sil", "-o", "/dev/null", "-wmo", "-parse-as-library", "-swift-version", "6", "-module-name", "Fixture"]
        + files.map { Repository.root.appending(path: $0).path })
  }
}
