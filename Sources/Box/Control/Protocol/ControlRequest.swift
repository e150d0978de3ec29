/// A line of the control protocol: a command and its arguments, in MPD's quoting.
struct ControlRequest: Equatable, Sendable {
  let name: String
  let arguments: [String]

  static let maxArguments = 68

  /// Parses a line without its newline. A backslash in double quotes escapes the next character.
  init(_ line: ArraySlice<UInt8>) throws(ControlRefusal) {
    var rest = line
    Self.skipBlanks(&rest)
    name = try Self.command(&rest)
    var words: [String] = []
    Self.skipBlanks(&rest)
    while let first = rest.first {
      guard words.count < Self.maxArguments else { throw ControlRefusal(.argument, "Too many arguments") }
      let word = try first == UInt8(ascii: "\"") ? Self.quoted(&rest) : Self.bare(&rest)
      guard let text = String(validating: word, as: UTF8.self) else {
        throw ControlRefusal(.argument, "Invalid UTF-8")
      }
      words.append(text)
      Self.skipBlanks(&rest)
    }
    arguments = words
  }

  /// Creates the line for these words. A newline in a word becomes a blank.
  static func line(_ words: [[UInt8]]) -> [UInt8] {
    let (quote, backslash, end) = (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"))
    var line = words.first ?? []
    for word in words.dropFirst() {
      line += [UInt8(ascii: " "), quote]
      for byte in word {
        if byte == quote || byte == backslash { line.append(backslash) }
        line.append(byte)
      }
      line.append(quote)
    }
    return line.map { $0 == end ? UInt8(ascii: " ") : $0 } + [end]
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) { rest = rest.drop(while: isBlank) }

  private static func command(_ rest: inout ArraySlice<UInt8>) throws(ControlRefusal) -> String {
    let word = rest.prefix { !isBlank($0) }
    guard let first = word.first, isLetter(first) else { throw ControlRefusal(.unknown, "Letter expected") }
    let isWord = word.allSatisfy {
      isLetter($0) || $0 == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    guard isWord else { throw ControlRefusal(.unknown, "Invalid word character") }
    rest = rest.dropFirst(word.count)
    return String(decoding: word, as: UTF8.self)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func bare(_ rest: inout ArraySlice<UInt8>) throws(ControlRefusal) -> [UInt8] {
    let word = rest.prefix { !isBlank($0) }
    guard !word.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }) else {
      throw ControlRefusal(.unknown, "Invalid unquoted character")
    }
    rest = rest.dropFirst(word.count)
    return Array(word)
  }

  private static func quoted(_ rest: inout ArraySlice<UInt8>) throws(ControlRefusal) -> [UInt8] {
    var word: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") {
        guard rest.first.map(isBlank) != false else {
          throw ControlRefusal(.unknown, "Space expected after closing '\"'")
        }
        return word
      }
      guard byte == UInt8(ascii: "\\") else {
        word.append(byte)
        continue
      }
      guard let meant = rest.popFirst() else { break }
      word.append(meant)
    }
    throw ControlRefusal(.unknown, "Missing closing '\"'")
  }
}
