/// The content codings that a browser accepts (RFC 9110, section 12.5.3).
struct AcceptedCodings {
  /// True if the browser prefers gzip to the plain bytes.
  let allowsGzip: Bool

  /// Parses a header. Without it, a browser accepts only the plain bytes.
  init(_ header: String?) {
    var weights: [String: Double] = [:]
    for item in (header ?? "").lowercased().split(separator: ",") {
      let parts = item.split(separator: ";").map(Self.trimmed)
      guard let coding = parts.first, parts.count <= 2 else { continue }
      weights[String(coding)] = parts.count == 1 ? 1 : Self.weight(parts[1])
    }
    let gzip = weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? 0
    allowsGzip = gzip > 0 && gzip >= weights["identity"] ?? 0
  }

  /// Returns a weight between 0 and 1; 0 if malformed.
  private static func weight(_ text: Substring) -> Double {
    guard text.hasPrefix("q="), let weight = Double(text.dropFirst(2)), 0...1 ~= weight else { return 0 }
    return weight
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let isSpace = { (letter: Character) in letter == " " || letter == "\t" }
    guard let last = text.lastIndex(where: { !isSpace($0) }) else { return "" }
    return text[...last].drop(while: isSpace)
  }
}
