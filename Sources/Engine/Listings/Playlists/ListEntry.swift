import Framing

/// One entry of a playlist, with its address and description.
public struct ListEntry: Hashable, Sendable {
  /// An absolute or relative URL, trimmed and not resolved; 1 … 4,096 bytes, without enclosing quotes and control
  /// characters, with spaces as "%20".
  public var reference: String
  /// The title, 1 … 4,096 bytes; not yet cleaned for display.
  public var title: String?
  /// The duration, in whole seconds, 1 or more; nil if live or unknown.
  public var seconds: Int?
  /// VLC's options for the entry, in the form "User-Agent=…&name=…", percent-encoded; empty without options.
  public var options = ""
  /// True if the entry is another address of the programme before it.
  public var isAlternative = false
  /// The station's id at radio-browser.info; nil if unknown.
  public var directoryID: String?

  /// Creates an entry.
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

  static func title(_ words: Substring) -> String? {
    let words = words.trimmed
    return words.isEmpty || words.utf8.count > PlaylistLimits.maxLineLength ? nil : String(words)
  }

  /// Returns a title after its character references are decoded; nil for the placeholder of a packager.
  static func plainTitle(_ words: Substring) -> String? {
    isPlaceholder(String(words.trimmed)) ? nil : title(CharacterReference.decoded(String(words))[...])
  }

  /// True for a text that packagers write without a title, such as "no desc".
  static func isPlaceholder(_ title: String) -> Bool {
    title.utf8.count <= 16 && placeholders.contains(title[...].asciiLowercased)
  }

  private static let placeholders: Set = [
    "no desc", "no desc.", "no-desc", "no_desc", "nodesc", "no description", "no title", "notitle", "null", "(null)",
    "undefined",
  ]

  /// Returns the whole seconds of a duration such as "123", "123.5" or "-1"; nil if below 1 s.
  static func seconds(_ length: Substring) -> Int? {
    let whole = length.trimmed.utf8.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return Int(Substring(whole)).flatMap { $0 > 0 ? $0 : nil }
  }
}
