/// Parses the metadata blocks of a FLAC stream (RFC 9639, 8): STREAMINFO, the first comments and the seek table.
struct FlacHead {
  /// The 34 bytes of STREAMINFO; empty if no valid STREAMINFO was found.
  private(set) var infoBytes: [UInt8] = []
  private(set) var info: FlacStreamInfo?
  private(set) var tags = StreamTags()
  var firstByte: Int?
  private var table = FlacSeekTable()
  private var part = Part.header
  private var isLast = false
  private var hasTags = false

  private enum Part {
    case header, over
    case info(Int)
    case comments(Int)
    case points(Int)
  }

  enum Step {
    /// Number of bytes read, and number of unused bytes to skip after them.
    case read(Int, passing: Int)
    case over
    /// The first frame starts after that many bytes, inside a metadata block of wrong length.
    case frames(Int)
    case damaged
    case needsMore
  }

  enum Search { case found, cut, nothing }

  static let magicByteCount = 4
  static let minByteCount = magicByteCount + headerByteCount + FlacStreamInfo.byteCount
  static let maxCommentByteCount = 65_536
  private static let headerByteCount = 4

  /// Checks `bytes` for the magic number "fLaC" and the header of STREAMINFO, always the first block.
  static func search(_ bytes: Span<UInt8>) -> Search {
    let magic: InlineArray<8, UInt8> = [0x66, 0x4C, 0x61, 0x43, 0, 0, 0, UInt8(FlacStreamInfo.byteCount)]
    for index in magic.indices {
      guard index < bytes.count else { return .cut }
      // The highest bit of the block header marks the last block.
      let byte = index == magicByteCount ? bytes[index] & 0x7F : bytes[index]
      guard byte == magic[index] else { return .nothing }
    }
    return .found
  }

  var facts: FlacFacts? {
    guard let info, let firstByte else { return nil }
    return FlacFacts(
      firstByte: firstByte, sampleCount: info.sampleCount, rate: info.sampleRate, points: table.points)
  }

  /// Returns the start of the stream's first frame; nil if no such frame starts in the first `limit` bytes.
  func frameStart(in bytes: Span<UInt8>, before limit: Int) -> Int? {
    guard let info else { return nil }
    for place in 0..<min(limit, bytes.count) where bytes[place] == 0xFF {
      guard let header = FlacFrameHeader(bytes, at: place), header.number == 0,
        FlacFormat(header, known: FlacFormat(info)) == FlacFormat(info), header.blockSize <= info.blockSizes.upperBound
      else { continue }
      return place
    }
    return nil
  }

  /// Returns the number of last bytes that may be the start of a frame header.
  static func cutHeaderByteCount(_ bytes: Span<UInt8>) -> Int {
    let first = max(0, bytes.count - FlacFrameHeader.maxByteCount + 1)
    for place in first..<bytes.count where bytes[place] == 0xFF {
      if place + 1 == bytes.count || bytes[place + 1] & 0xFE == 0xF8 { return bytes.count - place }
    }
    return 0
  }

  mutating func adopt(_ bytes: [UInt8]) {
    (infoBytes, info) = (bytes, FlacStreamInfo(bytes.span))
    firstByte = nil
  }

  mutating func read(_ window: borrowing ByteWindow) -> Step {
    let bytes = window.storage.span.extracting(window.buffered)
    switch part {
    case .over: return .over
    case .header: return readHeader(bytes)
    case .info(let size):
      guard bytes.count >= FlacStreamInfo.byteCount else { return .needsMore }
      if info == nil, let found = FlacStreamInfo(bytes) {
        info = found
        infoBytes = (0..<FlacStreamInfo.byteCount).map { bytes[$0] }
      }
      return end(FlacStreamInfo.byteCount, of: size)
    case .comments(let size):
      let count = min(size, Self.maxCommentByteCount)
      guard bytes.count >= count else { return .needsMore }
      tags = VorbisComments(bytes.extracting(0..<count)).tags
      hasTags = true
      if let frame = frameStart(in: bytes, before: count) { return .frames(frame) }
      // The header of a frame may have arrived in part.
      return end(count - Self.cutHeaderByteCount(bytes.extracting(0..<count)), of: size)
    case .points(let left):
      guard left >= FlacSeekTable.pointByteCount else { return end(0, of: left) }
      guard bytes.count >= FlacSeekTable.pointByteCount else { return .needsMore }
      table.process(bytes)
      part = .points(left - FlacSeekTable.pointByteCount)
      return .read(FlacSeekTable.pointByteCount, passing: 0)
    }
  }

  private mutating func readHeader(_ bytes: Span<UInt8>) -> Step {
    guard bytes.count >= Self.headerByteCount else { return .needsMore }
    isLast = bytes[0] & 0x80 != 0
    let size = Int(bytes[1]) << 16 | Int(bytes[2]) << 8 | Int(bytes[3])
    switch bytes[0] & 0x7F {
    case 0 where size >= FlacStreamInfo.byteCount: part = .info(size)
    case 3: part = .points(size)
    case 4 where !hasTags: part = .comments(size)
    case 127: return .damaged
    default: return end(Self.headerByteCount, of: size + Self.headerByteCount)
    }
    return .read(Self.headerByteCount, passing: 0)
  }

  private mutating func end(_ count: Int, of size: Int) -> Step {
    part = isLast ? .over : .header
    return .read(count, passing: size - count)
  }
}
