/// One line of the control protocol: a command and its arguments, as MPD's protocol quotes them.
public struct ControlRequest: Equatable, Sendable {
  /// The command's name; empty for an empty line.
  public let name: String
  /// What stands behind it.
  public let arguments: [String]

  /// Why a line is no request.
  public enum Failure: Error, Equatable {
    /// A quote is not closed, or something touches one.
    case badQuotes
    /// More arguments than any command has.
    case tooManyArguments
    /// The line is not UTF-8.
    case badText
  }

  static let mostArguments = 64

  /// Reads a line, without its end: words between blanks, or within double quotes, where a backslash stands before a
  /// quote or a backslash that is meant.
  public init(_ line: ArraySlice<UInt8>) throws(Failure) {
    var words: [String] = []
    var rest = line
    while let first = rest.first {
      if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
        rest.removeFirst()
        continue
      }
      let word = try first == UInt8(ascii: "\"") ? Self.quoted(&rest) : Self.bare(&rest)
      guard let text = String(validating: word, as: UTF8.self) else { throw .badText }
      guard words.count <= Self.mostArguments else { throw .tooManyArguments }
      words.append(text)
    }
    name = words.first ?? ""
    arguments = Array(words.dropFirst())
  }

  private static func bare(_ rest: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
    let word = rest.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    if word.contains(UInt8(ascii: "\"")) { throw .badQuotes }
    rest = rest.dropFirst(word.count)
    return Array(word)
  }

  private static func quoted(_ rest: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
    var word: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.first {
      rest = rest.dropFirst()
      if byte == UInt8(ascii: "\"") {
        if let next = rest.first, next != UInt8(ascii: " "), next != UInt8(ascii: "\t") { throw .badQuotes }
        return word
      }
      if byte == UInt8(ascii: "\\") {
        guard let meant = rest.first else { throw .badQuotes }
        word.append(meant)
        rest = rest.dropFirst()
      } else {
        word.append(byte)
      }
    }
    throw .badQuotes
  }
}
