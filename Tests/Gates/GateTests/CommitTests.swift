import Foundation
import Testing

/// What each change is called is read in lists: it has a line's length.
struct CommitTests {
  /// Characters of a subject, at most.
  private static let most = 72
  /// When the last commit with a longer one was made, in seconds since 1970.
  private static let start = 1_795_357_263

  /// The commits that git has of this repository, newest first; nil where there is no git or no clone. A shallow clone
  /// has the last of them.
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
    #expect(commits.filter { $0.time > Self.start && $0.subject.count > Self.most }.map(\.description) == [])
  }

  @Test("a line of the log is read", arguments: [("1a2b 17 Say so", "Say so"), ("1a2b 17 ", ""), ("1a2b x", nil)])
  func line(_ line: String, _ subject: String?) {
    #expect(Commit(line: line[...]).map { String($0.subject) } == subject)
  }
}

/// What `git log` tells of a commit.
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

  var description: String { "\(name): \(subject.count) characters: \(subject)" }
}
