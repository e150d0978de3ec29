/// Writes the pages of one logical Ogg stream (RFC 3533).
public struct OggWriter: Sendable {
  /// A page of the stream.
  public struct Page: Sendable {
    /// The whole page with its header.
    public var bytes: [UInt8]
    /// Number of packets that start before this page.
    public var packetsBefore: Int
  }

  /// The finished pages.
  public private(set) var pages: [Page] = []
  private let serial: UInt32
  private var lacing: [UInt8] = []
  private var body: [UInt8] = []
  private var granule: Int64 = -1
  private var isContinued = false
  private var packetsBefore = 0
  private var packetCount = 0

  /// Header flags of a page.
  public static let (continued, isFirst, ends) = (UInt8(1), UInt8(2), UInt8(4))

  /// Creates a stream with a serial number.
  public init(_ serial: UInt32) { self.serial = serial }

  /// Adds a packet that ends at a granule position. Writes full pages.
  public mutating func add(_ packet: [UInt8], granule: Int) {
    packetCount += 1
    var place = 0
    while true {
      let count = min(255, packet.count - place)
      lacing.append(UInt8(count))
      body += packet[place..<place + count]
      place += count
      if count < 255 { break }
      guard lacing.count == 255 else { continue }
      endPage()
      isContinued = true
    }
    self.granule = Int64(granule)
    if lacing.count == 255 { endPage() }
  }

  /// Writes the pending packets as a page. Without pending packets, writes a page only if `isLast`.
  public mutating func endPage(isLast: Bool = false) {
    guard !lacing.isEmpty || isLast else { return }
    var flags: UInt8 = isContinued ? Self.continued : 0
    if pages.isEmpty { flags |= Self.isFirst }
    if isLast { flags |= Self.ends }
    let bytes = Self.page(serial, UInt32(pages.count), flags, granule: granule, lacing, body)
    pages.append(Page(bytes: bytes, packetsBefore: packetsBefore))
    (lacing, body, granule, isContinued, packetsBefore) = ([], [], -1, false, packetCount)
  }

  /// Returns a page with its checksum.
  public static func page(
    _ serial: UInt32, _ sequence: UInt32, _ flags: UInt8, granule: Int64, _ lacing: [UInt8], _ body: [UInt8]
  ) -> [UInt8] {
    func little(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
    var page = Array("OggS".utf8) + [0, flags] + little(UInt64(bitPattern: granule), 8)
    page += little(UInt64(serial), 4) + little(UInt64(sequence), 4) + [0, 0, 0, 0, UInt8(lacing.count)] + lacing + body
    page.replaceSubrange(22..<26, with: little(UInt64(checksum(page)), 4))
    return page
  }

  /// Returns the CRC-32 with polynomial 0x04C11DB7, not reflected, initial value 0.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      bytes.withUnsafeBufferPointer { bytes in
        var (sum, place) = (UInt32(0), 0)
        while place < bytes.count {
          sum = sum << 8 ^ table[Int(sum >> 24 ^ UInt32(bytes[place]))]
          place += 1
        }
        return sum
      }
    }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum & 1 << 31 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
  }
}

/// A link of a chained stream: music in the pages of one logical stream.
public struct OggLink: Sendable {
  /// The pages with the headers.
  public let head: [UInt8]
  /// The audio pages, with the number of the first frame that starts in each, pre-skip included.
  public let pages: [(bytes: [UInt8], firstFrame: Int)]
  /// The encoded music.
  public let music: EncodedMusic
  /// The title in the comments; nil for none.
  public let title: String?

  /// Creates a link with comments. `origin`: the first granule position; not 0 in a recorded live stream.
  public init(
    _ music: EncodedMusic, _ title: String? = nil, comments: [String] = [], serial: UInt32 = 1, packetsPerPage: Int = 8,
    origin: Int = 0
  ) {
    (self.music, self.title) = (music, title)
    var writer = OggWriter(serial)
    let headers = music.headers((title.map { ["TITLE=\($0)"] } ?? []) + comments)
    writer.add(headers[0], granule: 0)
    writer.endPage()
    for header in headers.dropFirst() { writer.add(header, granule: 0) }
    writer.endPage()
    let headPages = writer.pages.count
    head = writer.pages.flatMap(\.bytes)
    var (frames, starts): (Int, [Int]) = (0, [])
    for (number, packet) in music.packets.enumerated() {
      starts.append(frames)
      frames += packet.frames
      let isLast = number == music.packets.count - 1
      writer.add(packet.bytes, granule: origin + (isLast ? music.preSkip + music.frameCount : frames))
      // Frames trimmed at the end must be in the last page, because granule positions cannot decrease.
      let isFull = number % packetsPerPage == packetsPerPage - 1 && number + packetsPerPage < music.packets.count
      if isLast || isFull { writer.endPage(isLast: isLast) }
    }
    let all = starts + [frames]
    pages = writer.pages.dropFirst(headPages).map { page in
      (page.bytes, all[min(all.count - 1, max(0, page.packetsBefore - headers.count))])
    }
  }

  /// All pages.
  public var bytes: [UInt8] { pages.reduce(into: head) { $0 += $1.bytes } }
}
