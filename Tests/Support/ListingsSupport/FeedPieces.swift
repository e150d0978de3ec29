import Listings

/// Parses a feed that arrives in pieces of `length` bytes.
public func feed(_ bytes: [UInt8], pieces length: Int = .max) throws(ListingError) -> Feed {
  var reader = FeedReader()
  var rest = bytes[...]
  while !rest.isEmpty {
    let piece = Array(rest.prefix(length))
    reader.append(piece.span)
    rest = rest.dropFirst(length)
  }
  return try reader.finish()
}
