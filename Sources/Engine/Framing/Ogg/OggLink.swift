import Blocks

/// The followed logical stream of a link: its headers, then its audio packets.
struct OggLink {
  static let maxPacketBytes = 512 << 10

  let serial: UInt32
  private(set) var headers: OggHeaders
  private(set) var packets: [OggPacket] = []
  /// The packet that spans pages. During delivery it may be the first of `packets`.
  private(set) var carry = OggCarry()
  private var droppedByteCount = 0
  /// Range of the packet that begins in the current page and continues on the next page.
  private var tail: Range<Int>?
  private var lastSequence: UInt32
  private var clock = OggClock()
  /// Block size of the last Vorbis packet, in samples; nil after a loss.
  private var block: Int?
  private var isTorn = false
  /// True before the first audio packet. Pages lost before that packet do not count as a gap.
  private var isJoining = true
  /// True after the last page of the stream.
  private var isEnded = false

  init?(_ page: OggPage, _ bytes: Span<UInt8>) {
    var pieces = OggPieces(page)
    guard let first = pieces.next(bytes), first.isStart, first.isEnd,
      let headers = OggHeaders(bytes.extracting(first.range))
    else { return nil }
    self.headers = headers
    (serial, lastSequence, clock) = (page.serial, page.sequence, .atBeginning)
    process(pieces, page, bytes)
  }

  init(_ headers: OggHeaders, resumedAt page: OggPage) {
    self.headers = headers
    (serial, lastSequence) = (page.serial, page.sequence &- 1)
  }

  /// True if `page`, the first audio page of `link`, is the page after this link's last page.
  func isContinued(by link: OggLink, at page: OggPage) -> Bool {
    // The pages of the headers come first, unless pages are missing.
    let isAudio = link.headers.areComplete || page.sequence != link.lastSequence &+ 1
    return isAudio && link.isJoining && !isEnded && page.serial == serial && link.serial == serial
      && page.sequence == lastSequence &+ 1 && parameters != nil && headers.setup == link.headers.setup
  }

  /// Returns this link with the tags of another connection's headers.
  func continued(with headers: OggHeaders) -> OggLink {
    var link = self
    link.headers.replaceTags(by: headers)
    return link
  }

  var parameters: OggCodecParameters? { headers.areComplete ? headers.parameters : nil }

  /// Granule number of the first frame; 0 after a start inside the stream.
  var origin: Int { max(0, clock.origin ?? 0) }

  var carriedByteCount: Int { carry.bytes.count }

  mutating func process(_ page: OggPage, _ bytes: Span<UInt8>) {
    let isNext = page.sequence == lastSequence &+ 1
    lastSequence = page.sequence
    if !isNext || carry.isOpen && !page.isContinued { handleLoss() }
    process(OggPieces(page), page, bytes)
  }

  mutating func finish(_ page: OggPage, _ bytes: Span<UInt8>) {
    packets.removeAll(keepingCapacity: true)
    if !carry.isOpen { carry.clear() }
    if let tail {
      carry.begin(at: page.byteOffset)
      carry.add(bytes.extracting(tail), isEnd: false, keeping: Self.maxPacketBytes)
    }
    tail = nil
  }

  var excessByteCount: Int { parameters != nil && carry.isOpen ? max(0, carry.byteCount - Self.maxPacketBytes) : 0 }

  mutating func removeDroppedByteCount() -> Int {
    defer { droppedByteCount = 0 }
    return droppedByteCount
  }

  private mutating func handleLoss() {
    if carry.isOpen { drop(carry.byteCount) }
    carry.clear()
    if parameters == nil { headers.end() }
    guard parameters != nil else { return }
    clock.invalidatePosition()
    block = nil
    isTorn = !isJoining
  }

  private mutating func drop(_ byteCount: Int) { droppedByteCount += byteCount }

  private mutating func process(_ rest: OggPieces, _ page: OggPage, _ bytes: Span<UInt8>) {
    var pieces = rest
    while let piece = pieces.next(bytes) {
      let part = bytes.extracting(piece.range)
      if parameters == nil, processHeader(piece, part, page.byteOffset) { continue }
      if let parameters { process(piece, part, page.byteOffset, parameters) }
    }
    if let parameters { clock.number(&packets, in: page, of: parameters) }
    isEnded = page.isLast
  }

  /// Processes a piece of a header or of an ignored packet. Returns false if an audio packet begins.
  private mutating func processHeader(_ piece: OggPiece, _ part: Span<UInt8>, _ offset: Int) -> Bool {
    if piece.isStart {
      switch headers.classify(part) {
      case .header: carry.begin(at: offset)
      case .audio:
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
      finishHeader()
      carry.clear()
    }
    return true
  }

  private mutating func finishHeader() {
    let bytes = carry.bytes
    headers.finishHeader(bytes.span, isWhole: carry.isWhole)
  }

  private mutating func process(_ piece: OggPiece, _ part: Span<UInt8>, _ offset: Int, _ sound: OggCodecParameters) {
    if piece.isStart {
      isJoining = false
      if piece.isEnd { add(part, piece.range, offset, sound) } else { tail = piece.range }
    } else if carry.isOpen {
      carry.add(part, isEnd: piece.isEnd, keeping: Self.maxPacketBytes)
      guard piece.isEnd else { return }
      let bytes = carry.bytes
      if carry.isWhole { add(bytes.span, nil, carry.byteOffset, sound) } else { dropDamage(carry.byteCount) }
    } else {
      drop(part.count)
      if !isJoining { handleLoss() }
    }
  }

  private mutating func add(_ packet: Span<UInt8>, _ range: Range<Int>?, _ offset: Int, _ sound: OggCodecParameters) {
    switch sound.measure(packet, after: &block) {
    case .audio(let frames):
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
