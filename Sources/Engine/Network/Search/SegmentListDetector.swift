/// Detects that an M3U list contains HLS segments (RFC 8216, 4.1): a line begins with "#EXT-X-". Reads each byte once.
struct SegmentListDetector {
  private static let mark = Array("#EXT-X-".utf8)
  /// Bytes of the mark matched in the current line; nil after a mismatch.
  private var matched: Int? = 0

  mutating func detect(in bytes: Span<UInt8>) -> Bool {
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
