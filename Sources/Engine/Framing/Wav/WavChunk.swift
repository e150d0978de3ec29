import Blocks

/// The header of a WAV chunk: a name of four letters and a length.
struct WavChunk: Equatable {
  enum Name: UInt32 {
    // File types.
    case riff = 0x5249_4646
    case rf64 = 0x5246_3634
    case bw64 = 0x4257_3634
    /// Big-endian numbers.
    case rifx = 0x5249_4658

    // Chunks of a file.
    case format = 0x666D_7420
    case long = 0x6473_3634
    case list = 0x4C49_5354
    case data = 0x6461_7461

    // Texts in a LIST chunk.
    case title = 0x494E_414D
    case artist = 0x4941_5254
    case album = 0x4950_5244

    init?(_ bytes: Span<UInt8>) {
      var place = 0
      guard let code = bytes.number(4, at: &place) else { return nil }
      self.init(rawValue: UInt32(code))
    }
  }

  let name: Name?
  let byteCount: Int
  /// True if the name is printable ASCII, as in all valid chunks.
  let isNamed: Bool

  static let headerByteCount = 8

  /// Parses a header, which must be complete.
  init(_ bytes: Span<UInt8>) {
    name = Name(bytes)
    byteCount = bytes.little(4, at: 4)
    isNamed = (0..<4).allSatisfy { (0x20...0x7E).contains(bytes[$0]) }
  }

  var retainedByteCount: Int {
    switch name {
    case .format: min(byteCount, PcmLayout.maxBytes)
    case .long: min(byteCount, 16)
    case .list: min(byteCount, WavHead.maxListByteCount)
    default: 0
    }
  }

  /// Length with the padding byte that follows odd lengths.
  var paddedByteCount: Int { byteCount + byteCount & 1 }
}
