import CToml

/// A TOML document with the line of each key.
struct TomlDocument: Sendable {
  static let byteLimit = 1 << 20
  /// Maximum number of dots in a line, which limits the nesting of tables.
  static let dotLimit = 64

  let file: String
  let root: TomlTable

  /// Parses bytes (libtomlplusplus). Throws at the first syntax fault; the library does not report later faults.
  init(_ bytes: [UInt8], file: String) throws(SettingsError) {
    guard bytes.count <= Self.byteLimit else {
      throw SettingsError(file, "it is longer than \(Self.byteLimit) bytes; is it the right file?")
    }
    if let line = Self.firstDeepLine(bytes) {
      throw SettingsError(file, line: line, "more than \(Self.dotLimit) dots stand in this line; shorten it")
    }
    let document = bytes.withUnsafeBytes { bk_toml_read($0.baseAddress, bytes.count) }
    guard let document else { throw SettingsError(file, "there is no memory to read it") }
    defer { bk_toml_free(document) }
    var (line, column) = (UInt32(0), UInt32(0))
    if let words = bk_toml_failure(document, &line, &column) {
      let isLineEnd = Self.isLineEnd(bytes, line: Int(line), column: Int(column))
      let problem = Self.problem(String(cString: words), isLineEnd: isLineEnd)
      throw SettingsError(file, line: line > 0 ? Int(line) : nil, column: column > 0 ? Int(column) : nil, problem)
    }
    var count = 0
    var nodes = Nodes(rest: UnsafeBufferPointer(start: bk_toml_nodes(document, &count), count: count)[...])
    guard case .table(let root)? = nodes.next()?.value else { throw SettingsError(file, "it is empty") }
    self.file = file
    self.root = root
  }

  /// Returns the first line whose dots could nest tables too deep for the stack; nil without such a line. Dots in
  /// comment lines do not count. If the file may have multi-line texts, they count, since a comment line may then be
  /// text.
  private static func firstDeepLine(_ bytes: [UInt8]) -> Int? {
    let hasLongTexts = hasLongTexts(bytes)
    var line = 1
    var dots = 0
    var isComment = false
    var isBlank = true
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        dots = 0
        isComment = false
        isBlank = true
      case UInt8(ascii: " "), UInt8(ascii: "\t"): break
      case UInt8(ascii: "#") where isBlank: (isComment, isBlank) = (!hasLongTexts, false)
      case UInt8(ascii: ".") where !isComment:
        dots += 1
        if dots > dotLimit { return line }
      default: isBlank = false
      }
    }
    return nil
  }

  /// True if the bytes contain three equal quotes in a row, which start a multi-line text.
  private static func hasLongTexts(_ bytes: [UInt8]) -> Bool {
    var (quote, run) = (UInt8(0), 0)
    for byte in bytes {
      guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else {
        run = 0
        continue
      }
      run = byte == quote ? run + 1 : 1
      quote = byte
      if run == 3 { return true }
    }
    return false
  }

  static func bytes(of path: String) throws(SettingsErrors) -> [UInt8] {
    do throws(SettingsError) { return try SmallFile.read(path, limit: byteLimit) } catch {
      throw SettingsErrors([error])
    }
  }

  /// Parses a file and reads its root table with `body`. Throws all faults, in order of line.
  static func read(
    _ bytes: [UInt8], file: String, showsValues: Bool = false, replacesValues: Bool = false,
    _ body: (TomlTable, ProblemLog) -> Void
  ) throws(SettingsErrors) {
    let log = ProblemLog(file, showsValues: showsValues, replacesValues: replacesValues)
    do throws(SettingsError) { body(try TomlDocument(bytes, file: file).root, log) } catch { log.add(error) }
    let errors = log.all
    guard errors.isEmpty else { throw SettingsErrors(errors) }
  }

  /// True if a position is past the last character of its line. `line` and `column` count from 1.
  private static func isLineEnd(_ bytes: [UInt8], line: Int, column: Int) -> Bool {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: max(0, line), omittingEmptySubsequences: false)
    guard lines.indices.contains(line - 1) else { return true }
    let text = lines[line - 1]
    return column
      > String(decoding: text.last == UInt8(ascii: "\r") ? text.dropLast() : text, as: UTF8.self)
      .unicodeScalars.count
  }

  /// Returns a hint for common mistakes; nil for other mistakes. `words`: the library's error text. At the end of a
  /// line, a control character error means that a quote is missing.
  private static func hint(_ words: String, isLineEnd: Bool) -> String? {
    if words.contains("could not determine value type") {
      return "this value cannot be read; write text in quotes (\"…\"), and true or false for yes or no"
    }
    if words.contains("string: encountered end-of-file") { return "the closing quote is missing" }
    if ["escape sequence", "unicode scalar sequence"].contains(where: words.contains) {
      return "the backslash in this text starts an escape sequence; write \\\\ for a backslash, or use single quotes "
        + "('…')"
    }
    guard words.contains("control characters"), words.contains("string:") else { return nil }
    return isLineEnd ? "the closing quote is missing" : "a control character is in this text; remove it"
  }

  /// Translates an error text from libtomlplusplus. The library's text quotes the file; the result names at most a key.
  private static func problem(_ words: String, isLineEnd: Bool) -> String {
    let parts = words.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false).map { String($0) }
    guard let first = parts.first, first.hasPrefix("Error while ") else { return "this is not TOML" }
    if parts.count >= 3, first.contains("cannot redefine existing ") {
      let what = first.hasSuffix("cannot redefine existing table ") ? "table" : "key"
      let isPlain = parts[1].utf8.allSatisfy { TextRule.isWordByte($0) || "-.".utf8.contains($0) }
      return "the \(what)\(isPlain ? " " + parts[1].quoted : "") appears a second time here; remove one of them"
    }
    if let hint = hint(words, isLineEnd: isLineEnd) { return hint }
    var said = first
    if let saw = first.firstRange(of: ", saw ")?.lowerBound {
      said = String(first[..<saw])
    } else if parts.count >= 3, ["expected ", "closing "].contains(where: { first.hasSuffix($0) }) {
      said += "'\(parts[1])'"
    } else if parts.count >= 3, first.hasSuffix(": ") {
      said += parts[parts.count - 1]
    }
    return "this is not TOML: error while \(said.dropFirst("Error while ".count).showable(most: 160))"
  }
}

/// Builds the tree of values from the library's list of nodes.
private struct Nodes {
  var rest: Slice<UnsafeBufferPointer<bk_toml_node>>

  mutating func next() -> TomlEntry? {
    guard let node = rest.popFirst() else { return nil }
    return TomlEntry(
      key: Self.text(node.key, node.key_length), line: Int(node.line), column: Int(node.column),
      lastLine: Int(node.last_line), value: value(of: node))
  }

  private mutating func value(of node: bk_toml_node) -> TomlValue {
    switch node.kind {
    case BK_TOML_TABLE:
      let entries = children(of: node).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
      return .table(TomlTable(entries: entries))
    case BK_TOML_ARRAY: return .array(children(of: node))
    case BK_TOML_TEXT: return .text(Self.text(node.text, node.text_length))
    case BK_TOML_INTEGER: return .integer(node.integer)
    case BK_TOML_NUMBER: return .number(node.number)
    case BK_TOML_FLAG: return .flag(node.integer != 0)
    default: return .moment
    }
  }

  private mutating func children(of node: bk_toml_node) -> [TomlEntry] {
    var children: [TomlEntry] = []
    for _ in 0..<node.count {
      if let child = next() { children.append(child) }
    }
    return children
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
  }
}
