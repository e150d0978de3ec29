/// One JSON object on one line (RFC 8259), its members in the order in which they were added. What a terminal would
/// obey and not show, such as direction characters, is escaped.
package struct JsonLine {
  private var text = "{"

  /// An object without members.
  package init() {}

  /// Adds text, or null.
  package mutating func add(_ name: String, _ value: String?) {
    key(name)
    if let value { append(value) } else { text += "null" }
  }

  /// Adds texts.
  package mutating func add(_ name: String, _ values: [String]) {
    key(name)
    text += "["
    for (place, value) in values.enumerated() {
      if place > 0 { text += "," }
      append(value)
    }
    text += "]"
  }

  private mutating func append(_ value: String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{2028}"..."\u{2029}": text += Self.escaped(scalar)
      case _ where DisplayText.isUnfit(scalar): text += Self.escaped(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  /// Adds a whole number.
  package mutating func add(_ name: String, _ value: Int?) {
    key(name)
    text += value.map { String($0) } ?? "null"
  }

  /// Adds a number with three decimals.
  package mutating func add(_ name: String, _ value: Double?) {
    key(name)
    guard let value, value.isFinite, abs(value) < 1e15 else { return text += "null" }
    let thousandths = Int((value * 1000).rounded())
    let digits = String(abs(thousandths) % 1000)
    let sign = thousandths < 0 ? "-" : ""
    text += "\(sign)\(abs(thousandths) / 1000).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
  }

  /// Adds whole numbers as an array.
  package mutating func add(_ name: String, _ values: [Int]) {
    key(name)
    text += "[" + values.map { String($0) }.joined(separator: ",") + "]"
  }

  /// Adds true or false.
  package mutating func add(_ name: String, _ value: Bool) {
    key(name)
    text += value ? "true" : "false"
  }

  /// Adds an object.
  package mutating func add(_ name: String, _ value: JsonLine) {
    key(name)
    text += value.line
  }

  /// Adds objects as an array.
  package mutating func add(_ name: String, _ values: [JsonLine]) {
    key(name)
    text += "[" + values.map(\.line).joined(separator: ",") + "]"
  }

  /// Whether it has no members.
  package var isEmpty: Bool { text == "{" }

  /// The line, complete.
  package var line: String { text + "}" }

  private mutating func key(_ name: String) { text += (text == "{" ? "\"" : ",\"") + name + "\":" }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    UTF16.encode(scalar).map { units in
      units.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    } ?? ""
  }
}
