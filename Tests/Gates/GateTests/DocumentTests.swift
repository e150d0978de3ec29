import Foundation
import Testing

@Suite struct DocumentTests {
  /// Paths of the Markdown documents tracked by git.
  private static let documents = (TrackedFile.all ?? []).map(\.path).filter { $0.hasSuffix(".md") }

  @Test("the pictures are what the sources say (make pictures)", .enabled(if: Tool("python3") != nil, "needs python3"))
  func pictures() throws {
    let python = try #require(Tool("python3"))
    let run = try python.run([Repository.root.appending(path: "Tests/Tools/Pictures/draw").path, "--check"])
    #expect(run.status == 0 && run.text == "", "\(run.text)")
  }

  @Test("README is read in five minutes: it has 150 lines at most")
  func readmeIsShort() throws {
    let text = try String(contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  @Test("each document leads to files of this repository only", arguments: documents)
  func links(_ path: String) throws {
    let place = Repository.root.appending(path: path)
    let text = try String(contentsOf: place, encoding: .utf8)
    let kept = Set((TrackedFile.all ?? []).map(\.path))
    let broken = Self.links(in: text).filter { link in
      let target = place.deletingLastPathComponent().appending(path: link).standardizedFileURL.path
      let inside = target.hasPrefix(Repository.root.path + "/")
      let name = String(target.dropFirst(Repository.root.path.count + 1))
      return !inside || !(kept.contains(name) || kept.contains { $0.hasPrefix(name + "/") })
    }
    #expect(broken == [])
  }

  @Test("links and pictures of a document are found, and no addresses")
  func linksAreFound() {
    let text = "[a](b/c.md#d), ![e](f.svg) <img src=\"g.svg\" alt=\"\"> [h](https://i.example/) [j](#k) `[l](m)` (n)"
    #expect(Self.links(in: text) == ["b/c.md", "f.svg", "g.svg"])
  }

  /// Returns the documents except the changelog, which keeps its old wording.
  static func read() -> [(path: String, text: String)] {
    documents.filter { !$0.hasPrefix("CHANGELOG") }.compactMap { path in
      (try? String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)).map { (path, $0) }
    }
  }

  /// Returns the files in a document's links and images.
  private static func links(in text: String) -> [String] {
    let prose = text.replacing(/`[^`\n]*`/, with: "")
    return prose.matches(of: /\]\(([^)\s]+)\)|src="([^"]+)"/).compactMap { match in
      let link = String(match.1 ?? match.2 ?? "").prefix { $0 != "#" }
      return link.isEmpty || link.contains("://") ? nil : String(link)
    }
  }
}
