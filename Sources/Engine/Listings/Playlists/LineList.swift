/// An M3U list: one reference per line. A comment `#EXTINF:seconds attributes,title` describes the next reference.
struct LineList {
  private(set) var entries: [ListEntry] = []

  init(_ text: ListingText) throws(ListingError) {
    guard text.first != UInt8(ascii: "<") else { throw .malformed(line: 1) }
    var seconds: Int?
    var title: String?
    for line in text.lines {
      guard entries.count < PlaylistLimits.maxEntryCount else { return }
      if line.hasPrefix(anyCase: "#extinf:") {
        (seconds, title) = Self.information(line.dropFirst("#extinf:".count))
      } else if line.utf8.first != UInt8(ascii: "#") {
        if let reference = Reference(line) { entries.append(ListEntry(reference, title: title, seconds: seconds)) }
        (seconds, title) = (nil, nil)
      }
    }
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
