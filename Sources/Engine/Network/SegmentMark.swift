/// Finds what makes a list of the form M3U one of an HLS stream's segments (RFC 8216, 4.1): a line that begins with
/// "#EXT-X-". It looks at each byte once and keeps nothing but its place in the line.
struct SegmentMark {
  private static let mark = Array("#EXT-X-".utf8)
  /// How much of the mark the line consists of so far; nil where it is another line.
  private var matched: Int? = 0

  /// Whether the mark shows in what comes next of the list.
  mutating func shows(in bytes: Span<UInt8>) -> Bool {
    let mark = Self.mark
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == 0x0A || byte == 0x0D {
        matched = 0
      } else if let place = matched {
        matched = byte == mark[place] ? place + 1 : nil
        if matched == mark.count { return true }
      }
    }
    return false
  }
}
