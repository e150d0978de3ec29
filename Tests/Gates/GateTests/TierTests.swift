import Foundation
import Testing

/// The steps of `.ci/run` that run only if their inputs changed (`.ci/tiers`), in a small repository.
@Suite struct TierTests {
  static let cases: [(edit: String, reason: String)] = [
    (":", "Skipped: one, unchanged since"),
    ("echo 2 >out/a; git commit -qam b", "Skipped: one, unchanged since"),
    ("echo 2 >in/a; git commit -qam b", "one is due: in/a changed since"),
    ("echo 2 >in/a; git commit -qam b; echo 1 >in/a; git commit -qam c", "Skipped: one, unchanged since"),
    ("echo 2 >in/a", "one is due: in/a changed since"), ("echo 2 >in/a; git add in/a", "one is due: in/a changed"),
    ("rm in/a", "one is due: in/a changed since"), ("git mv in/a out/b", "one is due: in/a changed since"),
    ("chmod +x in/a", "one is due: in/a changed since"), ("echo 1 >in/b", "one is due: in/b changed since"),
    ("echo 1 >in/b.log", "Skipped: one, unchanged since"),
    ("mkdir in/B.docc; echo 1 >in/B.docc/a; git add -A; git commit -qm b", "Skipped: one, unchanged since"),
    ("echo 1 >Makefile", "one is due: Makefile changed since"), ("FULL=1", "one is due: FULL=1"),
    ("tier_environment() { echo other; }", "one is due: the compiler or a library changed since"),
    ("rm .ci/passed", "one is due: no pass is recorded"), ("sed -i s/^one/two/ .ci/passed", "one is due: no pass"),
    ("git clone -q . ../clone; cd ../clone", "Skipped: one, unchanged since"),
    ("git clone -q --depth 1 \"file://$PWD\" ../clone; cd ../clone", "is unknown here"),
    ("rm -rf .git", "is unknown here"), ("sed -i 's/^one [^ ]*/one --/' .ci/passed", "commit -- is unknown here"),
  ]

  @Test("A step runs if its inputs changed since its last pass, or if git cannot compare them", arguments: cases)
  func isDue(_ edit: String, _ reason: String) throws {
    let run = try run("pass\n\(edit)\nbegin_tiers ../passes\ntier one touch ../ran\n[ ! -e ../ran ] || echo It ran.")
    #expect(run.status == 0 && run.text.contains(reason), "\(run.text)")
    #expect(run.text.contains("It ran.") != reason.hasPrefix("Skipped"), "\(run.text)")
  }

  @Test("One of two steps is enough for their common build")
  func common() throws {
    let run = try run("pass\nis_due one two || echo none\necho 2 >out/a\nis_due one two && echo some: $why")
    #expect(run.text.contains("none") && run.text.contains("some: out/a changed since"), "\(run.text)")
  }

  @Test("A pass replaces the lines of the steps that ran, and a skipped step retains its line")
  func recorded() throws {
    let run = try run(
      """
      pass
      echo 2 >out/a; git commit -qam b; begin_tiers ../passes; tier one true; tier two true; end_tiers
      cat ../passes/passed; git log --format=%H
      """)
    let lines = run.text.split(separator: "\n").suffix(5).map(String.init)
    try #require(lines.count == 5, "\(run.text)")
    #expect(lines[0] == "one \(lines[4]) same" && lines[1] == "two \(lines[2]) same", "\(run.text)")
  }

  @Test(
    "A failed step, a step that ended early and a run with an uncommitted change are not recorded",
    arguments: ["tier one false || true", "echo 1 >b; begin_tiers ../passes; tier one true", ":"])
  func notRecorded(_ script: String) throws {
    let run = try run("begin_tiers ../passes\n\(script)\nend_tiers; grep -s one ../passes/passed || echo nothing")
    #expect(run.status == 0 && run.text.hasSuffix("nothing\n"), "\(run.text)")
  }

  /// Runs a script after `.ci/tiers`, in a new repository with the steps `one` and `two`.
  private func run(_ script: String) throws -> (status: Int32, text: String) {
    let bash = try #require(Tool("bash"))
    let folder = FileManager.default.temporaryDirectory.appending(path: "tiers-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let start = """
      set -euo pipefail
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null FULL=
      export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
      mkdir '\(folder)/origin'; cd '\(folder)/origin'; git init -q
      . '\(Repository.root.appending(path: ".ci/tiers").path)'
      tier_inputs() { printf '%s\\n' 'one | in :!in/*.docc/*' 'two | out'; }
      tier_environment() { echo same; }
      tier_common=Makefile
      mkdir in out .ci; echo 1 >in/a; echo 1 >out/a; echo 0 >Makefile; echo '*.log' >.gitignore
      git add -A; git commit -qm a
      pass() {
        begin_tiers ../passes; tier one true; tier two true; end_tiers
        cp ../passes/passed .ci/passed; git add -A; git commit -qm passed
      }
      """
    return try bash.run(["-c", start + "\n" + script])
  }

  // MARK: The steps of this repository

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
  }

  @Test("Each step has inputs, and each input exists")
  func table() throws {
    let table = try Self.text(".ci/tiers").matches(of: /(?m)^([a-z0-9-]+) \| (.+)$/)
    let steps = try Self.text(".ci/run").matches(of: /\btier ([a-z0-9-]+)[ ]/).map { String($0.1) }
    #expect(steps.count > 4 && Set(steps) == Set(table.map { String($0.1) }))
    let inputs = table.flatMap { $0.2.split(separator: " ") }.map { $0.drop { ":!".contains($0) } }
    let common = try #require(try Self.text(".ci/tiers").firstMatch(of: /(?m)^tier_common='(.+)'$/))
    for input in inputs + common.1.split(separator: " ") where !input.contains("*") {
      #expect(FileManager.default.fileExists(atPath: Repository.root.appending(path: String(input)).path), "\(input)")
    }
  }

  @Test(".ci/run has each step of make test")
  func sameSteps() throws {
    let all = try #require(try Self.text("Tests/run").firstMatch(of: /(?m)^all=\((.+)\)$/))
    let run = try Self.text(".ci/run")
    let classes = all.1.split(separator: " ").map(String.init) + ["punctuality"]
    #expect(classes.count > 5)
    for name in classes { #expect(run.contains("Tests/run \(name)\n"), "\(name)") }
    #expect(try Self.text("Makefile").contains("\ntest: build tests "))
    #expect(run.contains("build $make build\n"))
  }
}
