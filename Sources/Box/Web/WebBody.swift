/// The body of a request, as far as it came.
struct WebBody {
  private(set) var bytes: [UInt8] = []
  /// Whether it is longer than one may be.
  private(set) var isTooLarge = false

  /// The longest, in bytes.
  static let longest = 65_536

  /// Takes a piece; nothing is kept of what is too long.
  mutating func take(_ piece: UnsafeRawBufferPointer) {
    isTooLarge = isTooLarge || bytes.count + piece.count > Self.longest
    if isTooLarge { bytes = [] } else { bytes += piece }
  }
}
