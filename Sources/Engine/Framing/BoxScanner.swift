/// Reads the headers of the boxes at the top of a stream, byte by byte (ISO 14496-12, 4.2). After damage it searches
/// for the next box that a fragment begins with.
struct BoxScanner {
  /// A header that is complete.
  struct Header {
    /// Nil where the type is none that is read.
    var type: BoxType?
    /// Bytes behind the header; nil is all that comes.
    var contentByteCount: UInt64?
    /// Bytes of the header, 8 or 16.
    var byteCount: Int64
  }

  /// The content of a box that a search believes, at most, in bytes.
  private static var longestFound: UInt64 { 65_536 }
  /// A box of a type that is not read and longer than that is damage: nobody sends so much beside the sound.
  private static var longestUnknown: UInt64 { 1 << 24 }

  /// The last eight bytes.
  private var window: UInt64 = 0
  private var windowCount = 0
  private var isSearching = false
  /// The next eight bytes are the size of a box of type `longType`.
  private var isLong = false
  private var longType: BoxType?

  /// Takes the next byte; the header that it completes.
  mutating func take(_ byte: UInt8) -> Header? {
    window = window << 8 | UInt64(byte)
    windowCount = min(windowCount + 1, 8)
    guard windowCount == 8 else { return nil }
    if isLong { return takeLongSize() }
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

  private mutating func takeLongSize() -> Header? {
    windowCount = 0
    isLong = false
    // A size that does not hold its own header is damage.
    isSearching = window < 16 || longType == nil && window > Self.longestUnknown
    return isSearching ? nil : Header(type: longType, contentByteCount: window - 16, byteCount: 16)
  }

  /// A search believes only what a fragment begins with, and only if it is short.
  private func isHeader(size: UInt64, _ letters: UInt32, _ type: BoxType?) -> Bool {
    let isShort = size >= 8 && size <= 8 + Self.longestFound
    if isSearching { return isShort && type?.beginsFragment == true }
    switch type {
    case .ftyp, .styp, .prft: return isShort
    case nil: return (size <= 1 || size >= 8 && size <= Self.longestUnknown) && Self.isReadable(letters)
    default: return size <= 1 || size >= 8
    }
  }

  /// Whether four letters may be a type: printable ASCII, or Apple's copyright sign.
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
