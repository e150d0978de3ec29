/// The variables of a playlist, EXT-X-DEFINE with NAME and VALUE (RFC 8216bis, 4.4.2.3), at most 32.
///
/// Does not replace variables of another playlist (IMPORT) or of the address (QUERYPARAM).
struct PlaylistVariables {
  private var values: [String: String] = [:]

  /// Defines a variable; the first definition of a name counts.
  mutating func define(_ attributes: AttributeList) {
    guard let name = attributes["NAME"]?.text, let value = attributes["VALUE"]?.bytes.decoded, values[name] == nil,
      values.count < Self.maxVariableCount, name.utf8.count <= Self.maxNameLength,
      value.utf8.count <= PlaylistLimits.maxLineLength
    else { return }
    values[name] = value
  }

  /// Replaces "{$name}" by its value; keeps unknown names. Returns nil if the result is too long for a reference.
  func substituted(_ text: String) -> String? {
    guard !values.isEmpty, text.utf8.contains(UInt8(ascii: "{")) else { return text }
    var result = ""
    var rest = text.utf8[...]
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
      result += Substring(rest[..<brace])
      rest = rest[brace...]
      if let (name, end) = Self.name(rest), let value = values[name] {
        result += value
        rest = rest[end...]
      } else {
        result += "{"
        rest = rest.dropFirst()
      }
      guard result.utf8.count <= PlaylistLimits.maxLineLength else { return nil }
    }
    return result + Substring(rest)
  }

  /// Returns the name in "{$name}" at the start of `text`, and the index after "}".
  private static func name(_ text: Substring.UTF8View) -> (String, end: String.Index)? {
    let inside = text.dropFirst()
    guard inside.first == UInt8(ascii: "$") else { return nil }
    let name = inside.dropFirst().prefix(maxNameLength + 1).prefix { $0 != UInt8(ascii: "}") }
    guard name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: "}") else { return nil }
    return (String(Substring(name)), text.index(after: name.endIndex))
  }

  private static let maxVariableCount = 32
  private static let maxNameLength = 64
}
