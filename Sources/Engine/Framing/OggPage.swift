/// The head of a page of Ogg (RFC 3533, 6).
struct OggPage: Equatable, BitwiseCopyable {
  /// Bytes of a head before the table of segments.
  static let headByteCount = 27
  /// The longest page: 255 segments of 255 bytes.
  static let mostBytes = headByteCount + 255 + 255 * 255

  /// Its first segments go on with a packet that began on a page before.
  let isContinued: Bool
  /// It begins a logical stream.
  let isFirst: Bool
  /// It ends a logical stream.
  let isLast: Bool
  /// Where its last whole packet ends, in units of the codec; nil where none ends, or what it says cannot be.
  let granule: Int?
  /// The logical stream's number.
  let serial: UInt32
  /// Counts the pages of the logical stream.
  let sequence: UInt32
  /// Where its packets begin: behind the table of segments.
  let bodyOffset: Int
  /// Its length.
  let byteCount: Int
  /// Where it began, in bytes of the stream; the reader tells it.
  var byteOffset = 0

  /// Where no granule that can be reaches: sums with it do not overflow.
  private static let granuleLimit = 1 << 60

  /// What stands at the first of some bytes.
  enum Search: BitwiseCopyable {
    case found(OggPage)
    case nothing
    /// So many bytes are needed to tell.
    case cut(Int)
  }

  /// Looks at the first bytes for a page that is whole. Its checksum is not looked at.
  static func search(_ bytes: Span<UInt8>) -> Search {
    guard bytes.count >= headByteCount else { return .cut(headByteCount) }
    guard bytes.holds("OggS"), bytes[4] == 0, bytes[5] & 0xF8 == 0 else { return .nothing }
    let bodyOffset = headByteCount + Int(bytes[26])
    guard bytes.count >= bodyOffset else { return .cut(bodyOffset) }
    var byteCount = bodyOffset
    for index in headByteCount..<bodyOffset { byteCount += Int(bytes[index]) }
    guard bytes.count >= byteCount, let page = OggPage(bytes, bodyOffset, byteCount) else { return .cut(byteCount) }
    return .found(page)
  }

  private init?(_ bytes: Span<UInt8>, _ bodyOffset: Int, _ byteCount: Int) {
    var place = 14
    guard let serial = bytes.numberLowFirst(4, at: &place), let sequence = bytes.numberLowFirst(4, at: &place) else {
      return nil
    }
    (isContinued, isFirst, isLast) = (bytes[5] & 1 != 0, bytes[5] & 2 != 0, bytes[5] & 4 != 0)
    place = 6
    granule = bytes.numberLowFirst(8, at: &place).flatMap { $0 < Self.granuleLimit ? $0 : nil }
    (self.serial, self.sequence) = (UInt32(truncatingIfNeeded: serial), UInt32(truncatingIfNeeded: sequence))
    (self.bodyOffset, self.byteCount) = (bodyOffset, byteCount)
  }

  /// Whether the checksum of the page in these bytes is right.
  func isSound(_ bytes: Span<UInt8>) -> Bool {
    var place = 22
    guard bytes.count >= byteCount, let told = bytes.numberLowFirst(4, at: &place) else { return false }
    return OggChecksum.crc32(bytes.extracting(0..<byteCount)) == UInt32(truncatingIfNeeded: told)
  }
}

/// The checksum of a page: polynomial 0x04C11DB7, the highest bit first, from 0 (RFC 3533, 6).
enum OggChecksum {
  /// Where it stands in a page.
  private static let place = 22..<26

  /// The checksum of a whole page; in itself it counts as zeros.
  static func crc32(_ page: Span<UInt8>) -> UInt32 {
    // An inline array would be copied as a whole where one of its numbers is looked up.
    let table = table.span
    var crc: UInt32 = 0
    for index in page.indices {
      let byte = place.contains(index) ? 0 : page[index]
      crc = crc << 8 ^ table[Int(UInt8(truncatingIfNeeded: crc >> 24) ^ byte)]
    }
    return crc
  }

  private static let table: [UInt32] = (0..<256).map { index in
    var crc = UInt32(index) << 24
    for _ in 0..<8 { crc = crc & 0x8000_0000 != 0 ? crc << 1 ^ 0x04C1_1DB7 : crc << 1 }
    return crc
  }
}

/// A packet, or the part of one that lies in a page.
struct OggPiece: Equatable {
  /// Where it lies, counted from the page's first byte.
  var range: Range<Int>
  /// The packet begins with it.
  var isStart: Bool
  /// The packet ends with it.
  var isEnd: Bool
}

/// Parts a page into its pieces of packets.
struct OggPieces: BitwiseCopyable {
  private var segment = OggPage.headByteCount
  private var place: Int
  private let end: Int
  private var isStart: Bool

  /// Before the first piece of a page.
  init(_ page: OggPage) { (place, end, isStart) = (page.bodyOffset, page.bodyOffset, !page.isContinued) }

  /// The next piece of the page in these bytes; nil behind the last.
  mutating func next(_ bytes: Span<UInt8>) -> OggPiece? {
    guard segment < end else { return nil }
    var piece = OggPiece(range: place..<place, isStart: isStart, isEnd: false)
    while segment < end, !piece.isEnd {
      place += Int(bytes[segment])
      piece.isEnd = bytes[segment] < 255
      segment += 1
    }
    piece.range = piece.range.lowerBound..<place
    // What is open goes to the page's end.
    isStart = true
    return piece
  }
}
