import Blocks

/// What stands before the samples of a WAV file: its chunks (RIFF MCI, EBU Tech 3306), each read when all that is kept
/// of it is there.
struct WavHead {
  /// The content of `fmt ` as it came; empty before it came.
  private(set) var formatBytes: [UInt8] = []
  private(set) var layout: PcmLayout?
  private(set) var tags = StreamTags()
  /// Whether lengths of 64 bits may be told.
  private var isLong: Bool
  /// What `ds64` says of the data's length.
  private var longByteCount: Int?

  /// More bytes of a list are not read.
  static let mostTags = 65_536
  /// What programs write that do not know a length, or can count no further; a header may be taken off.
  private static let leastUnknown = 0xFFFF_0000
  private static let halves = 0x7FFF_0000...0x8000_FFFF

  /// What follows "RIFF", or one of the names that stand for lengths of 64 bits.
  init(isLong: Bool) { self.isLong = isLong }

  /// Takes what is kept of a chunk; the held bytes begin with it.
  mutating func take(_ chunk: WavChunk, _ window: borrowing ByteWindow) {
    let first = window.held.lowerBound
    let bytes = window.storage.span.extracting(first..<first + chunk.keptByteCount)
    switch chunk.name {
    case .format where formatBytes.isEmpty:
      formatBytes = bytes.indices.map { bytes[$0] }
      layout = PcmLayout(bytes)
    case .long where isLong && bytes.count == 16:
      // The highest bits of a length that can be are zeros.
      let high = bytes.little(4, at: 12)
      longByteCount = high < 1 << 29 ? high << 32 | bytes.little(4, at: 8) : nil
    case .list: takeList(bytes)
    default: break
    }
  }

  /// How many bytes of samples there are by the data's header; nil where it does not tell.
  func dataByteCount(_ chunk: WavChunk) -> Int? {
    if isLong, chunk.byteCount == 0xFFFF_FFFF { return longByteCount == 0 ? nil : longByteCount }
    let told = chunk.byteCount
    return told == 0 || told >= Self.leastUnknown || Self.halves.contains(told) ? nil : told
  }

  /// Texts, each a chunk of its own.
  private mutating func takeList(_ bytes: Span<UInt8>) {
    guard bytes.holds("INFO") else { return }
    var place = 4
    while bytes.count - place >= WavChunk.headerByteCount {
      let chunk = WavChunk(bytes.extracting(place..<bytes.count))
      place += WavChunk.headerByteCount
      let text = Self.text(bytes.extracting(place..<place + min(chunk.byteCount, bytes.count - place)))
      switch chunk.name {
      case .title: tags.title = tags.title ?? text
      case .artist: tags.artist = tags.artist ?? text
      case .album: tags.album = tags.album ?? text
      default: break
      }
      place += chunk.paddedByteCount
    }
  }

  /// A text that ends with a zero; nil where it is empty.
  private static func text(_ bytes: Span<UInt8>) -> String? {
    let end: Int = bytes.indices.first(where: { bytes[$0] == 0 }) ?? bytes.count
    let text = DisplayText.clean(MetadataText.decode(bytes.extracting(0..<end)), characterLimit: 256)
    return text.isEmpty ? nil : text
  }
}

extension Span<UInt8> {
  /// The number of 1 … 4 bytes at `place`, the lowest first.
  func little(_ byteCount: Int, at place: Int) -> Int {
    (0..<byteCount).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }
}
