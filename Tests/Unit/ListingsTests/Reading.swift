import Framing
import Listings

/// The entries of a playlist given as text.
func entries(_ text: String, _ kind: PlaylistKind) throws(ListingError) -> [ListEntry] {
  try entries(Array(text.utf8), kind)
}

/// The entries of a playlist given as bytes.
func entries(_ bytes: [UInt8], _ kind: PlaylistKind) throws(ListingError) -> [ListEntry] {
  try PlaylistParser.entries(of: bytes.span, kind: kind)
}

/// The references alone; none where the list is empty.
func references(_ text: String, _ kind: PlaylistKind) throws(ListingError) -> [String] {
  do {
    return try entries(text, kind).map(\.reference)
  } catch .empty {
    return []
  }
}

/// Text as UTF-16, the less significant byte first or last, without a byte order mark.
func utf16(_ text: String, bigEndian: Bool = false) -> [UInt8] {
  text.utf16.flatMap { unit in
    let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
    return bigEndian ? bytes.reversed() : bytes
  }
}

/// A text and what is expected of it.
struct Case<Outcome: Sendable>: Sendable, CustomStringConvertible {
  let text: String
  let outcome: Outcome

  init(_ text: String, _ outcome: Outcome) {
    self.text = text
    self.outcome = outcome
  }

  var description: String { String(text.prefix(60)).debugDescription }
}
