/// A command of the control protocol.
struct RadioCommand: Equatable {
  /// Its name, and what stands behind it. No word has a control character.
  let words: [String]

  init(_ words: String...) { self.words = words }

  init(_ words: [String]) { self.words = words }

  /// The radio takes no longer line, in bytes.
  static let longestLine = 16_000

  /// The line that says it, with its end: each word behind the name is quoted.
  var line: String {
    var line = words.first ?? ""
    for word in words.dropFirst() {
      line += " \""
      for character in word.unicodeScalars {
        if character == "\"" || character == "\\" { line += "\\" }
        line.unicodeScalars.append(character)
      }
      line += "\""
    }
    return line + "\n"
  }
}
