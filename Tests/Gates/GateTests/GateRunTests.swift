import Foundation
import Testing

@testable import TestSupport

@Suite struct ExcuseTests {
  @Test("an assertion that holds is not excused, however late the machine was")
  func holds() {
    var hasAsked = false
    let verdict = ExcuseCounter.Verdict(true) {
      hasAsked = true
      return true
    }
    #expect(verdict == .held && !hasAsked)
  }

  @Test("one that does not is excused by a late machine alone", arguments: [(true, "excused"), (false, "failed")])
  func doesNotHold(_ isLate: Bool, _ verdict: String) {
    #expect(ExcuseCounter.Verdict(false) { isLate }.rawValue == verdict)
  }

  @Test("nothing excuses an assertion that is not counted")
  func allAreCounted() {
    let found = Repository.swift(below: "Tests/").filter { !["TestSupport", "RadioSupport"].contains($0.target) }
      .flatMap {
        $0.matchDescriptions(of: #"\.(wasLate|isPoor)\b"#)
      }
    #expect(found == [])
  }
}

/// The exit codes of `.ci/run` and `Tests/run` decide if a change may land.
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

  @Test("A step waits for the steps that it needs, among many steps")
  func waits() throws {
    let run = try run(
      """
      step first bash -c 'sleep 0.5; touch done'
      step_names+=($(seq 20000))
      step --needs first second test -e done
      step_names=(first second)
      end_steps || exit 1
      """)
    #expect(run.status == 0, "\(run.text)")
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
    // The process is gone, or a zombie.
    let state = try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)
    #expect(state.map { $0.contains("State:\tZ") } ?? true)
  }

  /// Runs steps with a script like `.ci/run`, in a temporary folder.
  private func run(_ script: String) throws -> (status: Int32, text: String) {
    let bash = try #require(Tool("bash"))
    let folder = FileManager.default.temporaryDirectory.appending(path: "steps-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let steps = Repository.root.appending(path: "Tests/steps").path
    return try bash.run(["-c", "set -euo pipefail; cd '\(folder)'; . '\(steps)'; begin_steps logs\n\(script)"])
  }
}

/// Each implemented requirement must be in the title of a test.
@Suite struct RowTests {
  static let rows = RowList(
    document: (try? String(
      contentsOf: Repository.root.appending(path: "Sources/Engine/Bakelite/Bakelite.docc/Requirements.md"),
      encoding: .utf8)) ?? "")

  /// Returns the titles of all tests. The title of a script is the first line of its docstring.
  static func titles() throws -> [String] {
    let scripts = try ["image/board/test.py", "image/card/test.py"].compactMap { path in
      let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
      return text.split(separator: "\n").first { $0.hasPrefix("\"\"\"") }.map(String.init)
    }
    return Repository.swift(below: "Tests/").flatMap(\.testTitles) + scripts
  }

  @Test("each row that is built is named by a test, and no other is")
  func rowsAreNamed() throws {
    #expect(Self.rows.faults(of: try Self.titles()) == [])
  }

  @Test("each id in a comment is a row's or a chapter's")
  func idsInComments() {
    let found = Repository.files.filter { $0.path.hasPrefix("Sources/") }.flatMap { file in
      file.lines.flatMap { RowList.ids(inComment: $0) }.filter { !Self.rows.contains($0) }.map { "\(file.path): \($0)" }
    }
    #expect(found == [])
  }

  // MARK: The rules themselves

  @Test("the ids of a comment are found, and the rows of a document")
  func idsAreFound() {
    #expect(RowList.ids(inComment: "  /// Read late (R6.3 – R6.5, N7), by GPIO (A02).") == ["R6.3", "R6.5", "N7"])
    #expect(RowList.ids(inComment: "a(R1.1)  // b") == [] && RowList.ids(inComment: "// R1 (see R2)") == [])
    let rows = RowList(document: "# A\n| id | meaning |\n|---|---|\n| R1.1 | x (D9) |\n## Planned\n| H1 | y |\n")
    #expect(rows.faults(of: ["a (R1.1)"]) == [] && rows.contains("R1") && rows.contains("H1") && !rows.contains("D9"))
    #expect(rows.faults(of: ["a (H1)"]).count == 2)
  }

  @Test(
    "each rule about rows sees what breaks it",
    arguments: [
      (["a (R1.1)", "b (D1, old bug 1.8)."], []),
      (["a (R1.1, D1)", "(nohup)", "R1.2", "D2 (no row)"], []),
      (["a (R1.1)", "b D1"], ["D1 is marked as built, and no test names it."]),
      (["a (R1.1, D1)", "b (R1.2)"], ["R1.2 is named by a test, and is not in the list."]),
      (["a (R1.1, D1, H1)"], ["H1 is named by a test, and marked as not built."]),
      ([], ["D1 is marked as built, and no test names it.", "R1.1 is marked as built, and no test names it."]),
    ] as [([String], [String])])
  func rule(_ titles: [String], _ faults: [String]) {
    #expect(RowList("R1.1\nD1 -H1").faults(of: titles) == faults)
  }

  @Test("the titles of a file's tests are found, and nothing else")
  func titlesAreFound() {
    let text = """
      @Test("a \\"b\\" (R1.1)") func a() {}
      // @Test("c (R1.2)")
      @Test(
        "d (D1)", arguments: ["@Test(\\"e\\")"])
      @Test func f() {}
      @Test(arguments: ["g"]) func g() {}
      """
    #expect(SourceFile(path: "a", text: text).testTitles == ["a \\\"b\\\" (R1.1)", "d (D1)"])
  }
}

/// Ids of the requirements.
struct RowList: Sendable {
  private let built: Set<String>
  private let planned: Set<String>

  /// Parses ids separated by white space. A minus sign marks an unimplemented requirement.
  init(_ text: String) {
    let words = text.split(whereSeparator: \.isWhitespace)
    built = Set(words.filter { !$0.hasPrefix("-") }.map(String.init))
    planned = Set(words.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) })
  }

  /// Reads the ids from a document's tables. Requirements below the heading "Planned" are unimplemented.
  init(document: String) {
    let parts = document.split(separator: "\n## Planned\n", maxSplits: 1)
    let ids = parts.map { part in Set(part.matches(of: /(?m)^\| ([A-Z][0-9.]+) \|/).map { String($0.1) }) }
    (built, planned) = (ids.first ?? [], ids.dropFirst().first ?? [])
  }

  /// True if an id is a requirement, or a chapter with requirements.
  func contains(_ id: String) -> Bool {
    let all = built.union(planned)
    return all.contains(id) || all.contains { $0.hasPrefix(id + ".") }
  }

  /// Returns the ids in a line's comment, from brackets with nothing but ids.
  static func ids(inComment line: Substring) -> [String] {
    guard let comment = line.range(of: "//").map({ line[$0.upperBound...] }) else { return [] }
    let id = /[ABCDEFGHKMNORSW][1-9][0-9]?(\.[0-9]+)?/
    return comment.matches(of: /\(([A-Z][0-9.]+(?:(?:, | – )[A-Z][0-9.]+)*)\)/).flatMap { brackets in
      brackets.1.split(separator: #/, | – /#).map(String.init)
    }.filter { $0.wholeMatch(of: id) != nil }
  }

  /// Returns one sentence for each fault in the titles' ids.
  func faults(of titles: [String]) -> [String] {
    let named = Set(titles.flatMap(Self.rows(in:)))
    let unnamed = built.subtracting(named).map { "\($0) is marked as built, and no test names it." }
    let unknown = named.subtracting(built.union(planned)).map { "\($0) is named by a test, and is not in the list." }
    let early = named.intersection(planned).map { "\($0) is named by a test, and marked as not built." }
    return (unnamed + unknown + early).sorted()
  }

  /// Returns the ids in the brackets at the end of a title.
  private static func rows(in title: String) -> [String] {
    guard let brackets = title.firstMatch(of: /\(([^()]*)\)\.?$/) else { return [] }
    return brackets.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
      $0.wholeMatch(of: /[A-Z][0-9]+(\.[0-9]+)?/) != nil
    }
  }
}

extension SourceFile {
  /// The source text of the tests' titles.
  var testTitles: [String] {
    let text = Array(lines.joined(separator: "\n").utf8)
    let quote = UInt8(ascii: "\"")
    return matches(#"@Test\("#).compactMap { start in
      let words = text[(start.offset + start.text.utf8.count)...]
      guard let first = words.firstIndex(where: { !" \n".utf8.contains($0) }), text[first] == quote else { return nil }
      var end = first + 1
      while end < text.count, text[end] != quote { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
      return String(decoding: text[(first + 1)..<min(end, text.count)], as: UTF8.self)
    }
  }
}

@Suite struct MakefileTests {
  @Test("make help lists every target")
  func help() throws {
    let text = try String(contentsOf: Repository.root.appending(path: "Makefile"), encoding: .utf8)
    let targets = Set(text.matches(of: /(?m)^([a-z0-9-]+):(?!=)/).map { String($0.1) })
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/make")
    process.arguments = ["--no-print-directory", "-C", Repository.root.path, "help"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let told = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let listed = told.split(separator: "\n").compactMap { line in
      line.split(separator: " ").dropFirst().first.map(String.init)
    }
    #expect(Set(listed) == targets && listed.count == targets.count && targets.count > 25)
    #expect(told.split(separator: "\n").allSatisfy { $0.split(separator: " ").count > 3 }, "each says what it does")
  }
}
