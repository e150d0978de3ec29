import Blocks

/// The chunks before the samples of a WAV file (RIFF MCI, EBU Tech 3306).
struct WavHead: PcmHead {
  private enum Name: UInt32 {
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
    case id3 = 0x6964_3320
    case capitalId3 = 0x4944_3320
    case data = 0x6461_7461

    // Texts in a LIST chunk.
    case title = 0x494E_414D
    case artist = 0x4941_5254
    case album = 0x4950_5244

    init?(_ chunk: PcmChunk) { self.init(rawValue: chunk.name) }
  }

  private(set) var setup: [UInt8] = []
  private(set) var layout: PcmLayout?
  private(set) var tags = StreamTags()
  /// True if 64-bit lengths are allowed (RF64, BW64).
  private let isLong: Bool
  let isRefused: Bool
  /// Length of the data from `ds64`, in bytes.
  private var longByteCount: Int?

  static let fileNames = [Name.riff, .rf64, .bw64, .rifx].map(\.rawValue)
  static let isBigEndian = false
  private static let maxListByteCount = 65_536

  init?(_ start: Span<UInt8>) {
    let name = UInt32(start.big(4, at: 0))
    guard start.matches("WAVE", at: 8), Self.fileNames.contains(name) else { return nil }
    isLong = name == Name.rf64.rawValue || name == Name.bw64.rawValue
    isRefused = name == Name.rifx.rawValue
  }

  func retainedByteCount(_ chunk: PcmChunk) -> Int {
    switch Name(chunk) {
    case .format: min(chunk.byteCount, PcmLayout.maxBytes)
    case .long: min(chunk.byteCount, 16)
    case .list, .id3, .capitalId3: min(chunk.byteCount, Self.maxListByteCount)
    default: 0
    }
  }

  mutating func read(_ chunk: PcmChunk, _ bytes: Span<UInt8>) {
    switch Name(chunk) {
    case .format where setup.isEmpty:
      setup = bytes.indices.map { bytes[$0] }
      layout = PcmLayout(bytes)
    case .long where isLong && bytes.count == 16:
      // Valid lengths have zeros in the highest bits.
      let high = bytes.little(4, at: 12)
      longByteCount = high < 1 << 29 ? high << 32 | bytes.little(4, at: 8) : nil
    case .list: readList(bytes)
    case .id3, .capitalId3:
      let found = Self.id3Tags(bytes)
      tags.title = tags.title ?? found.title
      tags.artist = tags.artist ?? found.artist
    default: break
    }
  }

  func hasTags(_ chunk: PcmChunk) -> Bool {
    switch Name(chunk) {
    case .list, .id3, .capitalId3: true
    default: false
    }
  }

  func isData(_ chunk: PcmChunk) -> Bool { Name(chunk) == .data }

  func extent(_ chunk: PcmChunk) -> PcmExtent? {
    let isFull = isLong && chunk.byteCount == 0xFFFF_FFFF
    let count = isFull ? longByteCount == 0 ? nil : longByteCount : chunk.dataByteCount
    return PcmExtent(byteCount: count, tail: (count ?? 0) & 1)
  }

  private mutating func readList(_ bytes: Span<UInt8>) {
    guard bytes.matches("INFO") else { return }
    var place = 4
    while bytes.count - place >= PcmChunk.headerByteCount {
      let chunk = PcmChunk(bytes.extracting(place..<bytes.count), isBigEndian: false)
      place += PcmChunk.headerByteCount
      let text = Self.text(bytes.extracting(place..<place + min(chunk.byteCount, bytes.count - place)))
      switch Name(chunk) {
      case .title: tags.title = tags.title ?? text
      case .artist: tags.artist = tags.artist ?? text
      case .album: tags.album = tags.album ?? text
      default: break
      }
      place += chunk.paddedByteCount
    }
  }
}
