/// Parses the headers of top-level boxes byte by byte (ISO 14496-12, 4.2). After damage, searches for a fragment.
struct BoxScanner {
  struct Header {
    var type: BoxType?
    /// Bytes after the header; nil if the box extends to the end of the stream.
    var contentByteCount: UInt64?
    var byteCount: Int64
  }

  private static var maxFoundByteCount: UInt64 { 65_536 }
  /// Maximum length of an unknown box, in bytes. A longer box is damage: senders add little data besides the audio.
  private static var maxUnknownByteCount: UInt64 { 1 << 24 }

  private var window: UInt64 = 0
  private var windowCount = 0
  /// True after damage, until the next fragment.
  private(set) var isSearching = false
  private var isLong = false
  private var longType: BoxType?

  mutating func process(_ byte: UInt8) -> Header? {
    window = window << 8 | UInt64(byte)
    windowCount = min(windowCount + 1, 8)
    guard windowCount == 8 else { return nil }
    if isLong { return finishLongSize() }
    let size = window >> 32
    let letters = UInt32(truncatingIfNeeded: window)
    let type = BoxType(rawValue: letters)
    isSearching = !isHeader(size: size, letters, type)
    if isSearching { return nil }
    windowCount = 0
    if size == 1 {
      (isLong, longType) = (true, type)
      return nil
    }
    return Header(type: type, contentByteCount: size == 0 ? nil : size - 8, byteCount: 8)
  }

  private mutating func finishLongSize() -> Header? {
    windowCount = 0
    isLong = false
    isSearching = window < 16 || longType == nil && window > Self.maxUnknownByteCount
    return isSearching ? nil : Header(type: longType, contentByteCount: window - 16, byteCount: 16)
  }

  private func isHeader(size: UInt64, _ letters: UInt32, _ type: BoxType?) -> Bool {
    let isShort = size >= 8 && size <= 8 + Self.maxFoundByteCount
    if isSearching { return isShort && type?.beginsFragment == true }
    switch type {
    case .ftyp, .styp, .prft: return isShort
    case nil: return (size <= 1 || size >= 8 && size <= Self.maxUnknownByteCount) && Self.isReadable(letters)
    default: return size <= 1 || size >= 8
    }
  }

  /// Printable ASCII, or 0xA9: Apple's copyright sign.
  private static func isReadable(_ letters: UInt32) -> Bool {
    var rest = letters
    for _ in 0..<4 {
      let letter = rest & 0xFF
      if !(0x20...0x7E).contains(letter), letter != 0xA9 { return false }
      rest >>= 8
    }
    return true
  }
}
