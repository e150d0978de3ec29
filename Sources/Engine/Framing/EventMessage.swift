/// The box `emsg` of DASH and CMAF (ISO 23009-1, 5.10.3.3), as far as it carries timed ID3 tags.
enum EventMessage {
  /// The tags in the content of an `emsg`; nil where it carries something else, or is damaged.
  static func id3(_ bytes: Span<UInt8>) -> Range<Int>? {
    guard let version = bytes.word32(at: 0, in: bytes.indices).map({ $0 >> 24 }) else { return nil }
    // Version 0 has 16 bytes of numbers behind the two texts, version 1 has 20 before them.
    let (before, behind) = version == 0 ? (4, 16) : (24, 0)
    guard version <= 1, let scheme = text(in: bytes, at: before), isId3(bytes, scheme),
      let value = text(in: bytes, at: scheme.upperBound + 1)
    else { return nil }
    let start = value.upperBound + 1 + behind
    return start < bytes.count ? start..<bytes.count : nil
  }

  /// The AOM's scheme, or Apple's older one.
  private static func isId3(_ bytes: Span<UInt8>, _ scheme: Range<Int>) -> Bool {
    isText(bytes, scheme, "https://aomedia.org/emsg/ID3")
      || isText(bytes, scheme, "https://developer.apple.com/streaming/emsg-id3")
  }

  private static func isText(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: String) -> Bool {
    range.count == text.utf8.count && bytes.holds(text, at: range.lowerBound)
  }

  /// A text at `start` without the zero behind it; nil where no zero follows.
  private static func text(in bytes: Span<UInt8>, at start: Int) -> Range<Int>? {
    var end = start
    while end < bytes.count {
      if bytes[end] == 0 { return start..<end }
      end += 1
    }
    return nil
  }
}
