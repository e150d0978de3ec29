struct WebBody {
  private(set) var bytes: [UInt8] = []
  private(set) var isTooLarge = false

  /// Maximum length in bytes.
  static let longest = 65_536

  /// Appends a piece; a body above the limit is discarded.
  mutating func take(_ piece: UnsafeRawBufferPointer) {
    isTooLarge = isTooLarge || bytes.count + piece.count > Self.longest
    if isTooLarge { bytes = [] } else { bytes += piece }
  }
}
