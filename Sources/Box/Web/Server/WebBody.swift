struct WebBody {
  private(set) var bytes: [UInt8] = []
  private(set) var isTooLarge = false

  /// Maximum length in bytes.
  static let maxLength = 65_536

  mutating func append(_ piece: UnsafeRawBufferPointer) {
    isTooLarge = isTooLarge || bytes.count + piece.count > Self.maxLength
    if isTooLarge { bytes = [] } else { bytes += piece }
  }
}
