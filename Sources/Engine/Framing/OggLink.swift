import Blocks

/// The logical stream that is followed, from its first page to that of another: its headers, then its packets of sound.
struct OggLink {
  /// The longest packet of sound that is believed, in bytes.
  static let mostPacketBytes = 512 << 10

  /// The logical stream's number.
  let serial: UInt32
  /// Its headers, as far as they came.
  private(set) var headers: OggHeaders
  /// The packets of sound that end in the page that was taken.
  private(set) var packets: [OggPacket] = []
  /// A packet that goes over pages. While `packets` is handed on, it may be the first of those.
  private(set) var carry = OggCarry()
  /// Bytes of packets that were dropped, since `takeDropped`.
  private var droppedByteCount = 0
  /// What begins in the page that was taken, and ends in another.
  private var tail: Range<Int>?
  private var lastSequence: UInt32
  private var clock = OggClock()
  /// The size of the last Vorbis block.
  private var block: Int?
  private var isTorn = false
  /// No packet of sound began yet: pages that are missing were never meant to be heard.
  private var isJoining = true

  /// A link that begins with this page.
  init?(_ page: OggPage, _ bytes: Span<UInt8>) {
    var pieces = OggPieces(page)
    guard let first = pieces.next(bytes), first.isStart, first.isEnd,
      let headers = OggHeaders(bytes.extracting(first.range))
    else { return nil }
    self.headers = headers
    (serial, lastSequence, clock) = (page.serial, page.sequence, .atBeginning)
    take(pieces, page, bytes)
  }

  /// A link whose headers came earlier, and of which this page is the next.
  init(_ headers: OggHeaders, resumedAt page: OggPage) {
    self.headers = headers
    (serial, lastSequence) = (page.serial, page.sequence &- 1)
  }

  /// What the packets of sound are; nil while headers come.
  var sound: OggSound? { headers.areComplete ? headers.sound : nil }

  /// Bytes that are held for a packet which is not whole.
  var carriedByteCount: Int { carry.bytes.count }

  /// Takes the next page of the stream; `packets` are those of sound that end in it.
  mutating func take(_ page: OggPage, _ bytes: Span<UInt8>) {
    let isNext = page.sequence == lastSequence &+ 1
    lastSequence = page.sequence
    if !isNext || carry.isOpen && !page.isContinued { lose() }
    take(OggPieces(page), page, bytes)
  }

  /// Ends with the page that was taken; `packets` are gone. A packet that began in it is carried over.
  mutating func finish(_ page: OggPage, _ bytes: Span<UInt8>) {
    packets.removeAll(keepingCapacity: true)
    if !carry.isOpen { carry.clear() }
    if let tail {
      carry.begin(at: page.byteOffset)
      carry.add(bytes.extracting(tail), isEnd: false, keeping: Self.mostPacketBytes)
    }
    tail = nil
  }

  /// Bytes that came of a packet of sound beyond what is believed.
  var excessByteCount: Int { sound != nil && carry.isOpen ? max(0, carry.byteCount - Self.mostPacketBytes) : 0 }

  /// Bytes of packets that were dropped since the last call.
  mutating func takeDropped() -> Int {
    defer { droppedByteCount = 0 }
    return droppedByteCount
  }

  /// Pages are missing, or do not fit: what is cut off is dropped.
  private mutating func lose() {
    if carry.isOpen { drop(carry.byteCount) }
    carry.clear()
    if sound == nil { headers.end() }
    guard sound != nil else { return }
    clock.lose()
    block = nil
    isTorn = !isJoining
  }

  private mutating func drop(_ byteCount: Int) { droppedByteCount += byteCount }

  private mutating func take(_ rest: OggPieces, _ page: OggPage, _ bytes: Span<UInt8>) {
    var pieces = rest
    while let piece = pieces.next(bytes) {
      let part = bytes.extracting(piece.range)
      if sound == nil, takeHeader(piece, part, page.byteOffset) { continue }
      if let sound { take(piece, part, page.byteOffset, sound) }
    }
    if let sound { clock.number(&packets, in: page, of: sound) }
  }

  /// Takes a piece of a header, or of something that is of no use; false where it is the first of sound.
  private mutating func takeHeader(_ piece: OggPiece, _ part: Span<UInt8>, _ offset: Int) -> Bool {
    if piece.isStart {
      switch headers.expects(part) {
      case .header: carry.begin(at: offset)
      case .sound:
        headers.end()
        return false
      case .nothing: break
      }
    }
    guard carry.isOpen else {
      drop(part.count)
      return true
    }
    let most = headers.append(part, isStart: piece.isStart)
    carry.add(part, isEnd: piece.isEnd, keeping: most)
    if piece.isEnd {
      takeHeader()
      carry.clear()
    }
    return true
  }

  private mutating func takeHeader() {
    let bytes = carry.bytes
    headers.take(bytes.span, isWhole: carry.isWhole)
  }

  /// Takes a piece of sound.
  private mutating func take(_ piece: OggPiece, _ part: Span<UInt8>, _ offset: Int, _ sound: OggSound) {
    if piece.isStart {
      isJoining = false
      if piece.isEnd { add(part, piece.range, offset, sound) } else { tail = piece.range }
    } else if carry.isOpen {
      carry.add(part, isEnd: piece.isEnd, keeping: Self.mostPacketBytes)
      guard piece.isEnd else { return }
      let bytes = carry.bytes
      if carry.isWhole { add(bytes.span, nil, carry.byteOffset, sound) } else { dropDamage(carry.byteCount) }
    } else {
      // Its beginning is not there.
      drop(part.count)
      if !isJoining { lose() }
    }
  }

  /// Adds a whole packet to those of the page.
  private mutating func add(_ packet: Span<UInt8>, _ range: Range<Int>?, _ offset: Int, _ sound: OggSound) {
    switch sound.measure(packet, after: &block) {
    case .sound(let frames):
      packets.append(OggPacket(range: range, byteOffset: offset, frames: frames, followsLoss: isTorn))
      isTorn = false
    case .nothing: break
    case .damage: dropDamage(packet.count)
    }
  }

  private mutating func dropDamage(_ byteCount: Int) {
    drop(byteCount)
    block = nil
    isTorn = true
  }
}
