import Foundation
import Testing

/// Commit subjects are read in lists, so they have the length of a line.
struct CommitTests {
  /// Maximum length of a subject in characters.
  private static let maxLength = 72
  /// Time of the last commit with a longer subject, in seconds since 1970.
  private static let lengthStart = 1_795_357_263
  /// Time of the last commit whose subject has another form, in seconds since 1970.
  private static let formStart = 1_795_799_999

  /// The commits of this repository, newest first; nil without git or outside a clone. A shallow clone has only the
  /// newest commits.
  private static let all: [Commit]? = {
    guard let git = Tool("git"),
      let answer = try? git.run([
        "-c", "safe.directory=*", "-C", Repository.root.path, "log", "--format=%h %ct %s",
      ]), answer.status == 0
    else { return nil }
    return answer.text.split(separator: "\n").compactMap { Commit(line: $0) }
  }()

  @Test("a commit's subject has 72 characters at most", .enabled(if: all != nil, "this is no git clone"))
  func subjects() throws {
    let commits = try #require(Self.all)
    #expect(!commits.isEmpty)
    #expect(commits.filter { $0.time > Self.lengthStart && $0.subject.count > Self.maxLength }.map(\.description) == [])
    #expect(commits.filter { $0.time > Self.formStart && !$0.hasForm }.map(\.description) == [])
  }

  @Test(
    "A subject names its area, then an imperative verb and an object",
    arguments: [
      ("Network: Fix retain cycle of TailReader", true), ("play: Refuse an output file that is also the input", true),
      ("Tests/Gates: Count hard sentences", true), ("Fix retain cycle of TailReader", false),
      ("Network: fix it", false),
      ("Network: Fixed a cycle", false), ("Network: Let the look hold no engine", false), ("Network: Fix", false),
      ("Network: Fix what is told", false),
    ])
  func form(_ subject: String, _ hasForm: Bool) throws {
    #expect(try #require(Commit(line: "1a2b 17 \(subject)"[...])).hasForm == hasForm)
  }

  @Test("a line of the log is read", arguments: [("1a2b 17 Say so", "Say so"), ("1a2b 17 ", ""), ("1a2b x", nil)])
  func line(_ line: String, _ subject: String?) {
    #expect(Commit(line: line[...]).map { String($0.subject) } == subject)
  }
}

/// A commit, read from `git log`.
private struct Commit: CustomStringConvertible {
  let name: Substring
  /// When it was made, in seconds since 1970.
  let time: Int
  let subject: Substring

  init?(line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let time = Int(parts[1]) else { return nil }
    (name, self.time, subject) = (parts[0], time, parts[2])
  }

  /// Verbs that name no action of the field.
  private static let vagueVerbs: Set = [
    "Let", "Keep", "Tell", "Say", "Give", "Hold", "Take", "Put", "Have", "Know", "Go", "Call", "Begin", "Mend",
  ]

  /// Imperatives that end as a participle does.
  private static let imperatives: Set = ["Bring", "Embed", "Feed", "Seed"]

  /// True if the subject reads "area: Imperative verb and object".
  var hasForm: Bool {
    guard let match = subject.wholeMatch(of: /[A-Za-z0-9][\w\/., +-]*: (?<verb>[A-Z][\w-]*) .+/) else { return false }
    let verb = String(match.verb)
    let isImperative = Self.imperatives.contains(verb) || !(verb.hasSuffix("ed") || verb.hasSuffix("ing"))
    return isImperative && !Self.vagueVerbs.contains(verb)
      && Prose(kind: .document, place: name.description, text: String(subject)).forms.isEmpty
  }

  var description: String { "\(name): \(subject.count) characters: \(subject)" }
}
