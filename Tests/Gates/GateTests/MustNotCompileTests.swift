import Testing

/// The compiler holds the render thread to its rules: what breaks them does not compile.
///
/// Each file in Fixtures says in its head what the compiler must say of it (`// expect:`), and which file of the
/// repository is compiled with it (`// with:`).
@Suite(.enabled(if: Tool.compiler != nil, "no swiftc in PATH"))
struct MustNotCompileTests {
  static let fixtures = Repository.swift(below: "Tests/Gates/GateTests/Fixtures/")

  @Test func whatKeepsTheRulesCompiles() throws {
    let fixture = try #require(Self.fixtures.first { $0.note("compiles") != nil })
    let answer = try #require(Tool.compiler).compile(fixture)
    #expect(answer.status == 0, "\(answer.text)")
  }

  @Test("What breaks the rules does not compile", arguments: fixtures.filter { $0.note("compiles") == nil }.map(\.path))
  func whatBreaksThemDoesNot(_ path: String) throws {
    let fixture = try #require(Self.fixtures.first { $0.path == path })
    let expected = try #require(fixture.note("expect: "), "a fixture says what is expected of it")
    let answer = try #require(Tool.compiler).compile(fixture)
    #expect(answer.status != 0)
    #expect(answer.text.contains(expected), "\(answer.text)")
  }
}

extension SourceFile {
  /// What follows a mark in a comment line of its own.
  fileprivate func note(_ mark: String) -> String? {
    lines.first { $0.hasPrefix("// " + mark) }.map { String($0.dropFirst(3 + mark.count)) }
  }
}

extension Tool {
  /// Compiles a fixture; the annotations are checked on SIL, so that is as far as it goes.
  fileprivate func compile(_ fixture: SourceFile) throws -> (status: Int32, text: String) {
    let files = [fixture.path, fixture.note("with: ")].compactMap { $0 }
    return try run(
      ["-emit-sil", "-o", "/dev/null", "-wmo", "-parse-as-library", "-swift-version", "6", "-module-name", "Fixture"]
        + files.map { Repository.root.appending(path: $0).path })
  }
}
