/// A JSON object on one line (RFC 8259), members in the order of addition. Escapes control and direction characters.
package struct JsonLine {
  private var text = "{"

  package init() {}

  package mutating func add(_ name: String, _ value: String?) {
    key(name)
    if let value { append(value) } else { text += "null" }
  }

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
      case _ where DisplayText.isUnsafe(scalar): text += Self.escaped(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  package mutating func add(_ name: String, _ value: Int?) {
    key(name)
    text += value.map { String($0) } ?? "null"
  }

  /// Adds a number with three decimals; null if nil, not finite, or not between -1e15 and 1e15.
  package mutating func add(_ name: String, _ value: Double?) {
    key(name)
    guard let value, value.isFinite, abs(value) < 1e15 else { return text += "null" }
    let thousandths = Int((value * 1000).rounded())
    let digits = String(abs(thousandths) % 1000)
    let sign = thousandths < 0 ? "-" : ""
    text += "\(sign)\(abs(thousandths) / 1000).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
  }

  package mutating func add(_ name: String, _ values: [Int]) {
    key(name)
    text += "[" + values.map { String($0) }.joined(separator: ",") + "]"
  }

  package mutating func add(_ name: String, _ value: Bool) {
    key(name)
    text += value ? "true" : "false"
  }

  package mutating func add(_ name: String, _ value: JsonLine) {
    key(name)
    text += value.line
  }

  package mutating func add(_ name: String, _ values: [JsonLine]) {
    key(name)
    text += "[" + values.map(\.line).joined(separator: ",") + "]"
  }

  package var isEmpty: Bool { text == "{" }

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
