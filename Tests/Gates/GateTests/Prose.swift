import Foundation
import Testing

/// One comment, test title or paragraph of a document.
struct Prose: Equatable {
  enum Kind: String, CaseIterable {
    case doc, comment, title, document
  }

  let kind: Kind
  /// Path and line number.
  let place: String
  let text: String

  /// The comments and test titles of a Swift file.
  static func all(in file: SourceFile) -> [Prose] {
    var found: [Prose] = []
    var kind: Kind?
    for (index, line) in file.lines.enumerated() {
      let row = line.trimmingCharacters(in: .whitespaces)
      let next: Kind? = row.hasPrefix("///") ? .doc : row.hasPrefix("//") && !row.hasPrefix("// MARK") ? .comment : nil
      if let next {
        let words = row.drop { $0 == "/" }.trimmingCharacters(in: .whitespaces)
        if next == kind, let last = found.popLast() {
          found.append(Prose(kind: next, place: last.place, text: "\(last.text) \(words)"))
        } else {
          found.append(Prose(kind: next, place: "\(file.path):\(index + 1)", text: words))
        }
      }
      kind = next
    }
    return found + file.testTitles.map { Prose(kind: .title, place: file.path, text: $0) }
  }

  /// The paragraphs of a Markdown document, without headings, tables, code and pictures.
  static func all(inDocument text: String, at path: String) -> [Prose] {
    var found: [Prose] = []
    var isCode = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") { isCode.toggle() }
      guard !isCode, let first = line.first, !"|#<![`".contains(first), !line.hasPrefix("    ") else { continue }
      let words = String(line.drop { "-*0123456789. ".contains($0) })
      found.append(Prose(kind: .document, place: "\(path):\(index + 1)", text: words))
    }
    return found
  }

  /// The forms of sentences that need a second reading.
  var forms: [ProseForm] {
    let sentences = text.replacingOccurrences(of: #"([.;:]) +"#, with: "$1\n", options: .regularExpression)
    return ProseForm.all.filter { $0.matches(sentences) }
  }
}

/// A form of sentence that is often understood only at the second reading.
struct ProseForm: Equatable, CustomTestStringConvertible {
  let name: String
  /// A sentence that has the form.
  let example: String
  private let regex: NSRegularExpression?

  var testDescription: String { name }

  private init(_ name: String, _ pattern: String, example: String) {
    (self.name, self.example) = (name, example)
    regex = try? NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
  }

  /// True if one of the lines has the form.
  func matches(_ text: String) -> Bool {
    regex?.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  static let all = [
    ProseForm("clause as subject", #"^(What|Who|Whoever|Whether|How)\b(?!.*\?$)"#, example: "Whether it plays."),
    ProseForm(
      "sentence without its noun",
      #"^(So|That|Such|Those|It|Its|They|The same|No|None|Nobody|Nothing)\b"#, example: "The same in seconds."),
    ProseForm(
      "place for a condition", #"\b(nil|true|false|empty|zero|0|negative|error|none) where\b|; where\b|^Where\b"#,
      example: "The title; nil where the station has no title."),
    ProseForm(
      "quantity before its noun", #"\b[Ss]o (?:many|much|long|far|often) [a-z]+(?:s|ed)\b"#,
      example: "Waits for so many seconds."),
    ProseForm("missing noun", #"\b(?:is|are) (?:none|no [a-z]+)\b"#, example: "A longer name is none."),
    ProseForm(
      "clause as noun",
      #"\b(?:what|who|whoever|which) (?:is|are|was|were|has|had|it|they|he|comes?|came|follows|plays|sounds)\b"#,
      example: "Returns what was received."),
    ProseForm("household verb", #"\b(?:[Tt]ells?|told|mends?|mended)\b"#, example: "Tells the caller."),
    ProseForm("pronoun after of", #"\bof (?:it|them|that|which|those)\b"#, example: "The length of it."),
    ProseForm("rare word", #"\b(?:anew|beside|behind|nobody|whoever)\b"#, example: "Begins anew."),
    ProseForm(
      "three relative clauses", #"(?:\b(?:that|which|who|what)\b[^.;:\n]*){3}"#,
      example: "A list that names a file that holds a sound that plays."),
  ]
}
