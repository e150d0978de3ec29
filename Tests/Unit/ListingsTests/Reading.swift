import Framing
import Listings

/// Reads the entries of a playlist from text.
func entries(_ text: String, _ kind: PlaylistKind) throws(ListingError) -> [ListEntry] {
  try entries(Array(text.utf8), kind)
}

/// Reads the entries of a playlist from bytes.
func entries(_ bytes: [UInt8], _ kind: PlaylistKind) throws(ListingError) -> [ListEntry] {
  try PlaylistParser.entries(of: bytes.span, kind: kind)
}

/// The references only; empty for an empty list.
func references(_ text: String, _ kind: PlaylistKind) throws(ListingError) -> [String] {
  do {
    return try entries(text, kind).map(\.reference)
  } catch .empty {
    return []
  }
}

/// Encodes text as UTF-16 without a byte order mark.
func utf16(_ text: String, bigEndian: Bool = false) -> [UInt8] {
  text.utf16.flatMap { unit in
    let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
    return bigEndian ? bytes.reversed() : bytes
  }
}

/// A text and its expected result.
struct Case<Outcome: Sendable>: Sendable, CustomStringConvertible {
  let text: String
  let outcome: Outcome

  init(_ text: String, _ outcome: Outcome) {
    self.text = text
    self.outcome = outcome
  }

  var description: String { String(text.prefix(60)).debugDescription }
}
