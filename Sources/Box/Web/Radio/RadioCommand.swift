struct RadioCommand: Equatable {
  /// The name and its arguments, without control characters.
  let words: [String]

  init(_ words: String...) { self.words = words }

  init(_ words: [String]) { self.words = words }

  /// Maximum length of a line for the radio in bytes.
  static let maxLineLength = 16_000

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
