/// The value of a member in a `JsonLine`.
package protocol JsonMember {
  /// The value as JSON (RFC 8259).
  var json: String { get }
}

extension String: JsonMember {
  /// The text in quotes. Control and direction characters are escaped.
  package var json: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{2028}"..."\u{2029}": text += Self.escaped(scalar)
      case _ where DisplayText.isUnsafe(scalar): text += Self.escaped(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    UTF16.encode(scalar).map { units in
      units.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    } ?? ""
  }
}

extension Int: JsonMember {
  package var json: String { String(self) }
}

extension Double: JsonMember {
  /// A number with three decimals; null if not finite, or not between -1e15 and 1e15.
  package var json: String { isFinite && abs(self) < 1e15 ? threeDecimals : "null" }

  /// The number with three decimals. Requires a number between -1e15 and 1e15.
  package var threeDecimals: String {
    let thousandths = Int((self * 1_000).rounded())
    let decimals = String(thousandths.magnitude % 1_000 + 1_000).dropFirst()
    return "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1_000).\(decimals)"
  }
}

extension Bool: JsonMember {
  package var json: String { self ? "true" : "false" }
}

extension Array: JsonMember where Element: JsonMember {
  package var json: String { "[" + map(\.json).joined(separator: ",") + "]" }
}

extension Optional: JsonMember where Wrapped: JsonMember {
  package var json: String { self?.json ?? "null" }
}
