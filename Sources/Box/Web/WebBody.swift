struct WebBody {
  private(set) var bytes: [UInt8] = []
  private(set) var isTooLarge = false

  /// Maximum length in bytes.
  static let longest = 65_536

  mutating func take(_ piece: UnsafeRawBufferPointer) {
    isTooLarge = isTooLarge || bytes.count + piece.count > Self.longest
    if isTooLarge { bytes = [] } else { bytes += piece }
  }
}
