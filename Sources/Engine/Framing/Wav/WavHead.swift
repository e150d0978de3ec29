import Blocks

/// The chunks before the samples of a WAV file (RIFF MCI, EBU Tech 3306).
struct WavHead {
  private(set) var formatBytes: [UInt8] = []
  private(set) var layout: PcmLayout?
  private(set) var tags = StreamTags()
  /// True if 64-bit lengths are allowed (RF64, BW64).
  private var isLong: Bool
  /// Length of the data from `ds64`, in bytes.
  private var longByteCount: Int?

  static let maxListByteCount = 65_536
  /// Placeholder lengths from programs that do not know the length or cannot count further. A header may be subtracted.
  private static let minUnknownLength = 0xFFFF_0000
  private static let halves = 0x7FFF_0000...0x8000_FFFF

  init(isLong: Bool) { self.isLong = isLong }

  /// Processes the retained bytes of a chunk, at the start of `window`.
  mutating func read(_ chunk: WavChunk, _ window: borrowing ByteWindow) {
    let first = window.buffered.lowerBound
    let bytes = window.storage.span.extracting(first..<first + chunk.retainedByteCount)
    switch chunk.name {
    case .format where formatBytes.isEmpty:
      formatBytes = bytes.indices.map { bytes[$0] }
      layout = PcmLayout(bytes)
    case .long where isLong && bytes.count == 16:
      // Valid lengths have zeros in the highest bits.
      let high = bytes.little(4, at: 12)
      longByteCount = high < 1 << 29 ? high << 32 | bytes.little(4, at: 8) : nil
    case .list: readList(bytes)
    default: break
    }
  }

  func dataByteCount(_ chunk: WavChunk) -> Int? {
    if isLong, chunk.byteCount == 0xFFFF_FFFF { return longByteCount == 0 ? nil : longByteCount }
    let told = chunk.byteCount
    return told == 0 || told >= Self.minUnknownLength || Self.halves.contains(told) ? nil : told
  }

  private mutating func readList(_ bytes: Span<UInt8>) {
    guard bytes.matches("INFO") else { return }
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

  private static func text(_ bytes: Span<UInt8>) -> String? {
    let end: Int = bytes.indices.first(where: { bytes[$0] == 0 }) ?? bytes.count
    let text = DisplayText.clean(MetadataText.decode(bytes.extracting(0..<end)), characterLimit: 256)
    return text.isEmpty ? nil : text
  }
}

extension Span<UInt8> {
  /// Reads a little-endian number of 1 … 4 bytes, which must all be present.
  func little(_ byteCount: Int, at place: Int) -> Int {
    (0..<byteCount).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }
}
