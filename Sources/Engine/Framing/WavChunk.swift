import Blocks

/// The header of a chunk of a WAV file: a name of four letters and a length.
struct WavChunk: Equatable {
  /// The chunks that are read.
  enum Name: UInt32 {
    // A file.
    case riff = 0x5249_4646
    case rf64 = 0x5246_3634
    case bw64 = 0x4257_3634
    /// All numbers have their highest byte first.
    case rifx = 0x5249_4658

    // In a file.
    case format = 0x666D_7420
    case long = 0x6473_3634
    case list = 0x4C49_5354
    case data = 0x6461_7461

    // In a list.
    case title = 0x494E_414D
    case artist = 0x4941_5254
    case album = 0x4950_5244

    /// The name that `bytes` begin with; nil where it is another, or not all there.
    init?(_ bytes: Span<UInt8>) {
      var place = 0
      guard let code = bytes.number(4, at: &place) else { return nil }
      self.init(rawValue: UInt32(code))
    }
  }

  /// Nil where it is none that is read.
  let name: Name?
  let byteCount: Int
  /// Whether the name can be read, as all names can.
  let isNamed: Bool

  static let headerByteCount = 8

  /// Reads a header, all of which is there.
  init(_ bytes: Span<UInt8>) {
    name = Name(bytes)
    byteCount = bytes.little(4, at: 4)
    isNamed = (0..<4).allSatisfy { (0x20...0x7E).contains(bytes[$0]) }
  }

  /// How much of what it holds is kept, in bytes.
  var keptByteCount: Int {
    switch name {
    case .format: min(byteCount, PcmLayout.mostBytes)
    case .long: min(byteCount, 16)
    case .list: min(byteCount, WavHead.mostTags)
    default: 0
    }
  }

  /// How long it is with the byte that makes its length even.
  var paddedByteCount: Int { byteCount + byteCount & 1 }
}
