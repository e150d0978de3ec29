import Foundation
import Testing

extension TidyTests {
  /// The number of comments, titles and paragraphs with a form of `ProseForm`. Lower a number when the test says so;
  /// raise none.
  static let maxMarkedProse: [Prose.Kind: Int] = [.doc: 108, .comment: 9, .title: 47, .document: 37]

  static let prose: [Prose] =
    swift.flatMap(Prose.all) + DocumentTests.read().flatMap { Prose.all(inDocument: $0.text, at: $0.path) }

  @Test("The share of hard sentences does not grow", arguments: Prose.Kind.allCases)
  func proseIsPlain(_ kind: Prose.Kind) throws {
    let bound = try #require(Self.maxMarkedProse[kind])
    let marked = Self.prose.filter { $0.kind == kind && !$0.forms.isEmpty }
    let list = marked.map { "\($0.place): \($0.text) (\($0.forms.map(\.name).joined(separator: ", ")))" }
    #expect(marked.count == bound, "\(list.joined(separator: "\n"))")
  }

  @Test("The ratchet sees a planted sentence of each form", arguments: ProseForm.all)
  func plantedSentenceIsSeen(_ form: ProseForm) {
    let file = SourceFile(
      path: "a",
      text: "/// A line.\n/// \(form.example)\nlet a = 1\n// \(form.example)\n@Test(\"\(form.example)\")\n")
    let found = Prose.all(in: file) + Prose.all(inDocument: "# Head\n- \(form.example)\n", at: "b")
    #expect(Set(found.map(\.kind)) == Set(Prose.Kind.allCases))
    #expect(found.allSatisfy { $0.forms.contains(form) })
  }

  @Test(
    "The ratchet accepts a plain sentence",
    arguments: [
      "Maximum length of an entity name.", "Returns nil if the header is truncated.", "Whose turn is it?",
      "True if a client is connected.", "The sink that plays the packet.",
      "Retries after 5 s, so that a server can restart.",
    ])
  func plainSentenceIsAccepted(_ text: String) {
    #expect(Prose(kind: .doc, place: "a:1", text: text).forms == [])
  }

  @Test("The ratchet skips code and tables of a document")
  func codeIsNoProse() {
    let text = "| What is told |\n```\nWhat is told.\n```\n    What is told.\nText.\n"
    #expect(Prose.all(inDocument: text, at: "a").map(\.text) == ["Text."])
  }
}
