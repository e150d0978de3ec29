/// One entry of a playlist: where something sounds, and what the list says about it.
public struct ListEntry: Hashable, Sendable {
  /// An absolute or relative URL as written, trimmed and not resolved; at most 4,096 bytes, without control characters,
  /// its spaces as "%20".
  public var reference: String
  /// What the list calls it; at most 4,096 bytes, never empty, not yet fit for a display.
  public var title: String?
  /// How long it sounds, in whole seconds, 1 or more; nil where it is live or the list does not tell.
  public var seconds: Int?

  /// An entry.
  public init(reference: String, title: String? = nil, seconds: Int? = nil) {
    self.reference = reference
    self.title = title
    self.seconds = seconds
  }
}

extension ListEntry {
  init(_ reference: Reference, title: String?, seconds: Int?) {
    self.init(reference: reference.text, title: title, seconds: seconds)
  }

  /// The words of a title; nil where there are none, or too many.
  static func title(_ words: Substring) -> String? {
    let words = words.trimmed
    return words.isEmpty || words.utf8.count > PlaylistParser.lineLimit ? nil : String(words)
  }

  /// The whole seconds of a length such as "123", "123.5" or "-1"; nil where it tells nothing.
  static func seconds(_ length: Substring) -> Int? {
    let whole = length.trimmed.utf8.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return Int(Substring(whole)).flatMap { $0 > 0 ? $0 : nil }
  }
}
