/// An M3U list: one reference per line. A comment `#EXTINF:seconds attributes,title` describes the next reference, and
/// VLC's `#EXTVLCOPT:name=value` has an option for it. RadioDroid's `#RADIOBROWSERUUID:id` is its id in the directory.
struct LineList {
  private(set) var entries: [ListEntry] = []

  init(_ text: ListingText) throws(ListingError) {
    guard text.first != UInt8(ascii: "<") else { throw .malformed(line: 1) }
    var seconds: Int?
    var title: String?
    var options: [String] = []
    var directoryID: String?
    for line in text.lines {
      guard entries.count < PlaylistLimits.maxEntryCount else { return }
      if line.hasPrefix(anyCase: "#extinf:") {
        (seconds, title) = Self.information(line.dropFirst("#extinf:".count))
      } else if line.hasPrefix(anyCase: "#extvlcopt:") {
        if options.count < Self.maxOptionCount { options += Self.option(line.dropFirst("#extvlcopt:".count)) }
      } else if line.hasPrefix(anyCase: "#radiobrowseruuid:") {
        directoryID = Self.id(line.dropFirst("#radiobrowseruuid:".count))
      } else if line.utf8.first != UInt8(ascii: "#") {
        if let reference = Reference(line) {
          var entry = ListEntry(reference, title: title, seconds: seconds)
          entry.options = options.joined(separator: "&")
          entry.directoryID = directoryID
          entries.append(entry)
        }
        (seconds, title, directoryID) = (nil, nil, nil)
        options = []
      }
    }
  }

  private static let maxOptionCount = 16

  /// Returns an id of 36 hexadecimal digits and dashes; nil for other words.
  private static func id(_ words: Substring) -> String? {
    let id = words.trimmed.asciiLowercased
    return id.utf8.count == 36 && id.utf8.allSatisfy { "0123456789abcdef-".utf8.contains($0) } ? id : nil
  }

  /// Returns an option for `ListEntry.options`; empty if the option is invalid.
  private static func option(_ text: Substring) -> [String] {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), text.utf8.count <= 1_000 else { return [] }
    let name = text[..<equals].trimmed.asciiLowercased
    let isName = name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "-") }
    let value = text[text.utf8.index(after: equals)...].trimmed
    guard isName, !name.isEmpty, !value.isEmpty else { return [] }
    let encoded = value.utf8.map { byte in
      let isPlain = byte > 0x20 && byte < 0x7F && !"%&|#\"'\\".utf8.contains(byte)
      return isPlain ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
    }
    let names = ["http-user-agent": "User-Agent", "http-referrer": "Referer"]
    return ["\(names[name] ?? name)=\(encoded.joined())"]
  }

  /// Returns the duration, and the title after the first comma outside quotes, otherwise after the first comma.
  private static func information(_ line: Substring) -> (seconds: Int?, title: String?) {
    guard line.utf8.count <= PlaylistLimits.maxLineLength else { return (nil, nil) }
    var isQuoted = false
    let end = line.utf8.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    let comma = end ?? line.utf8.firstIndex(of: UInt8(ascii: ","))
    let title = comma.flatMap { ListEntry.plainTitle(line[line.utf8.index(after: $0)...]) }
    return (ListEntry.seconds(line), title)
  }
}
