import Blocks

/// The chunks before the samples of an AIFF or AIFF-C file (Apple, Audio Interchange File Format 1.3 and AIFF-C).
struct AiffHead: PcmHead {
  private enum Name: UInt32 {
    case form = 0x464F_524D
    case common = 0x434F_4D4D
    case samples = 0x5353_4E44
    case title = 0x4E41_4D45
    case author = 0x4155_5448
    case id3 = 0x4944_3320

    init?(_ chunk: PcmChunk) { self.init(rawValue: chunk.name) }
  }

  private(set) var setup: [UInt8] = []
  private(set) var layout: PcmLayout?
  private(set) var tags = StreamTags()
  /// Maximum size of the COMM chunk: only AIFF-C names a compression type.
  private let maxCommonByteCount: Int
  /// Bytes of padding before the samples.
  private var offset = 0

  let isRefused = false
  static let fileNames = [Name.form.rawValue]
  static let isBigEndian = true
  private static let maxTextByteCount = 1_024
  private static let maxTagByteCount = 65_536
  /// Offset and block size, before the samples.
  private static let samplesHeaderByteCount = 8
  /// Placeholders of SoX for a pipe: the whole frames in 0x7F000000 bytes.
  private static let unknownLengths = 0x7EFF_FFC1...0x7F00_0000

  init?(_ start: Span<UInt8>) {
    guard start.matches("FORM"), start.matches("AIFF", at: 8) || start.matches("AIFC", at: 8) else { return nil }
    maxCommonByteCount = start.matches("AIFC", at: 8) ? 22 : 18
  }

  func hasTags(_ chunk: PcmChunk) -> Bool {
    switch Name(chunk) {
    case .title, .author, .id3: true
    default: false
    }
  }

  func isData(_ chunk: PcmChunk) -> Bool { Name(chunk) == .samples }

  func retainedByteCount(_ chunk: PcmChunk) -> Int {
    switch Name(chunk) {
    case .common: min(chunk.byteCount, maxCommonByteCount)
    case .samples: Self.samplesHeaderByteCount
    case .title, .author: min(chunk.byteCount, Self.maxTextByteCount)
    case .id3: min(chunk.byteCount, Self.maxTagByteCount)
    default: 0
    }
  }

  mutating func read(_ chunk: PcmChunk, _ bytes: Span<UInt8>) {
    switch Name(chunk) {
    case .common where setup.isEmpty:
      setup = Array("COMM".utf8) + bytes.indices.map { bytes[$0] }
      layout = PcmLayout(setup.span)
    case .samples: offset = bytes.big(4, at: 0)
    case .title: tags.title = tags.title ?? Self.text(bytes)
    case .author: tags.artist = tags.artist ?? Self.text(bytes)
    case .id3:
      let found = Self.id3Tags(bytes)
      tags.title = tags.title ?? found.title
      tags.artist = tags.artist ?? found.artist
    default: break
    }
  }

  /// The shorter of the lengths in SSND and COMM; unknown if SSND has a placeholder.
  func extent(_ chunk: PcmChunk) -> PcmExtent? {
    guard let layout, let told = chunk.dataByteCount else { return PcmExtent(lead: offset) }
    let room = told - Self.samplesHeaderByteCount - offset
    guard room >= 0 else { return nil }
    guard !Self.unknownLengths.contains(room) else { return PcmExtent(lead: offset) }
    let frames = setup.span.big(4, at: 6)
    let count = frames == 0 ? room : min(room, frames * layout.frameByteCount)
    return PcmExtent(lead: offset, byteCount: count, tail: room - count + told & 1)
  }
}
