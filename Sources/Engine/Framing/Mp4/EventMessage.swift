/// An `emsg` box of DASH and CMAF (ISO 23009-1, 5.10.3.3) that carries timed ID3 tags.
struct EventMessage {
  let tags: Range<Int>
  let dueTime: DueTime

  enum DueTime: Hashable, Sendable {
    /// Delay after the start of the segment.
    case relative(FragmentTime)
    /// Time on the programme's clock.
    case absolute(FragmentTime)
  }

  init?(_ bytes: Span<UInt8>) {
    guard let version = bytes.word32(at: 0, in: bytes.indices).map({ $0 >> 24 }) else { return nil }
    // Version 0 has 16 bytes of numbers after the two strings, version 1 has 20 bytes of numbers before them.
    let (before, behind) = version == 0 ? (4, 16) : (24, 0)
    guard version <= 1, let scheme = Self.text(in: bytes, at: before), Self.isId3(bytes, scheme),
      let value = Self.text(in: bytes, at: scheme.upperBound + 1)
    else { return nil }
    let start = value.upperBound + 1 + behind
    guard start < bytes.count else { return nil }
    tags = start..<bytes.count
    let numbers = version == 0 ? value.upperBound + 1 : 4
    guard let timescale = bytes.word32(at: numbers, in: bytes.indices),
      let high = bytes.word32(at: numbers + 4, in: bytes.indices)
    else { return nil }
    if version == 0 {
      dueTime = .relative(FragmentTime(value: UInt64(high), timescale: max(1, timescale)))
    } else {
      guard let low = bytes.word32(at: numbers + 8, in: bytes.indices) else { return nil }
      dueTime = .absolute(FragmentTime(value: UInt64(high) << 32 | UInt64(low), timescale: max(1, timescale)))
    }
  }

  private static func isId3(_ bytes: Span<UInt8>, _ scheme: Range<Int>) -> Bool {
    isText(bytes, scheme, "https://aomedia.org/emsg/ID3")
      || isText(bytes, scheme, "https://developer.apple.com/streaming/emsg-id3")
  }

  private static func isText(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: String) -> Bool {
    range.count == text.utf8.count && bytes.matches(text, at: range.lowerBound)
  }

  private static func text(in bytes: Span<UInt8>, at start: Int) -> Range<Int>? {
    var end = start
    while end < bytes.count {
      if bytes[end] == 0 { return start..<end }
      end += 1
    }
    return nil
  }
}
