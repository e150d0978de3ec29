/// The header of an Ogg page (RFC 3533, section 6).
struct OggPage: Equatable, BitwiseCopyable {
  static let headByteCount = 27
  static let maxByteCount = headByteCount + 255 + 255 * 255

  /// True if the first segments continue a packet of the previous page.
  let isContinued: Bool
  let isFirst: Bool
  let isLast: Bool
  /// End of the last whole packet, in the codec's units; nil if no packet ends here or the value is invalid.
  let granule: Int?
  let serial: UInt32
  let sequence: UInt32
  let bodyOffset: Int
  let byteCount: Int
  /// Offset in the stream, in bytes; set by `OggPageReader`.
  var byteOffset = 0

  /// Limit for valid granule positions, so that sums cannot overflow.
  private static let granuleLimit = 1 << 60

  enum Search: BitwiseCopyable {
    case found(OggPage)
    case nothing
    /// More bytes are needed. The value is their total number, as far as known.
    case cut(Int)
  }

  /// Parses the page at the start of `bytes`, if complete. Does not verify the checksum.
  static func search(_ bytes: Span<UInt8>) -> Search {
    guard bytes.count >= headByteCount else { return .cut(headByteCount) }
    guard bytes.matches("OggS"), bytes[4] == 0, bytes[5] & 0xF8 == 0 else { return .nothing }
    let bodyOffset = headByteCount + Int(bytes[26])
    guard bytes.count >= bodyOffset else { return .cut(bodyOffset) }
    var byteCount = bodyOffset
    for index in headByteCount..<bodyOffset { byteCount += Int(bytes[index]) }
    guard bytes.count >= byteCount, let page = OggPage(bytes, bodyOffset, byteCount) else { return .cut(byteCount) }
    return .found(page)
  }

  private init?(_ bytes: Span<UInt8>, _ bodyOffset: Int, _ byteCount: Int) {
    var place = 14
    guard let serial = bytes.littleEndianNumber(4, at: &place), let sequence = bytes.littleEndianNumber(4, at: &place)
    else {
      return nil
    }
    (isContinued, isFirst, isLast) = (bytes[5] & 1 != 0, bytes[5] & 2 != 0, bytes[5] & 4 != 0)
    place = 6
    granule = bytes.littleEndianNumber(8, at: &place).flatMap { $0 < Self.granuleLimit ? $0 : nil }
    (self.serial, self.sequence) = (UInt32(truncatingIfNeeded: serial), UInt32(truncatingIfNeeded: sequence))
    (self.bodyOffset, self.byteCount) = (bodyOffset, byteCount)
  }

  func hasValidChecksum(_ bytes: Span<UInt8>) -> Bool {
    var place = 22
    guard bytes.count >= byteCount, let told = bytes.littleEndianNumber(4, at: &place) else { return false }
    return OggChecksum.crc32(bytes.extracting(0..<byteCount)) == UInt32(truncatingIfNeeded: told)
  }
}

/// Page checksum: polynomial 0x04C11DB7, highest bit first, initial value 0 (RFC 3533, section 6).
enum OggChecksum {
  private static let place = 22..<26

  /// Returns the checksum of a whole page. The checksum field itself counts as zeros.
  static func crc32(_ page: Span<UInt8>) -> UInt32 {
    let head = table.crc(0, page.extracting(0..<place.lowerBound))
    return table.crc(table.crc(head, zeros.span), page.extracting(place.upperBound..<page.count))
  }

  private static let zeros: InlineArray<4, UInt8> = [0, 0, 0, 0]
  private static let table = ChecksumTable(polynomial: 0x04C1_1DB7)
}

struct OggPiece: Equatable {
  var range: Range<Int>
  var isStart: Bool
  var isEnd: Bool
}

struct OggPieces: BitwiseCopyable {
  private var segment = OggPage.headByteCount
  private var place: Int
  private let end: Int
  private var isStart: Bool

  init(_ page: OggPage) { (place, end, isStart) = (page.bodyOffset, page.bodyOffset, !page.isContinued) }

  mutating func next(_ bytes: Span<UInt8>) -> OggPiece? {
    guard segment < end else { return nil }
    var piece = OggPiece(range: place..<place, isStart: isStart, isEnd: false)
    while segment < end, !piece.isEnd {
      place += Int(bytes[segment])
      piece.isEnd = bytes[segment] < 255
      segment += 1
    }
    piece.range = piece.range.lowerBound..<place
    // An unfinished piece ends with the page, so a further piece starts a packet.
    isStart = true
    return piece
  }
}
