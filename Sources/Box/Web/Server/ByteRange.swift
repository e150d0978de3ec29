/// The part of a file that a browser requests (RFC 9110, section 14).
enum ByteRange: Equatable {
  /// The whole file. Also the response to a header that is malformed, or that names several parts.
  case whole
  case part(Range<Int>)
  /// The part starts after the file's end.
  case outside

  /// Parses the header `Range` for a file of `count` bytes. `condition`: the header `If-Range`; another tag than the
  /// file's requests the whole file.
  init(_ header: String?, ifRange condition: String?, tag: String, count: Int) {
    self = .whole
    guard let header, condition == nil || condition == tag, header.lowercased().hasPrefix("bytes=") else { return }
    let bounds = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, bounds.allSatisfy(Self.isNumber) else { return }
    let (first, last) = (Int(bounds[0]), Int(bounds[1]))
    switch (first, last) {
    case (let first?, let last?) where first <= last:
      self = first < count ? .part(first..<min(count, last + 1)) : .outside
    case (let first?, nil): self = first < count ? .part(first..<count) : .outside
    case (nil, let length?): self = length > 0 && count > 0 ? .part(max(0, count - length)..<count) : .outside
    default: break
    }
  }

  /// Returns true for at most 18 digits, which fit an `Int`; also for an empty text.
  private static func isNumber(_ text: Substring) -> Bool {
    text.utf8.count <= 18 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
