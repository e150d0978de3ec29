import Blocks

/// Finds MPEG audio and ADTS packets, whose format may change at any packet. A packet of a known format is accepted if
/// a header directly follows, the first of a format if a row of headers follows. Otherwise the search continues one
/// byte later. Allocates only in `init`. One thread at a time.
public struct PacketFramer: StreamFramer, ~Copyable {
  /// Buffer size in bytes: three packets of maximum length and a header, enough to judge any packet.
  private static var capacity: Int { 16_384 }

  private var buffer = [UInt8](repeating: 0, count: Self.capacity)
  private var held = 0..<0
  /// Position of the first buffered byte, in bytes.
  private var passedByteCount = 0
  private var remainingTagByteCount = 0
  /// Position after the received bytes of the last tag, or of the start of the stream.
  private var tagEnd = 0
  private var isInLyrics = false
  /// Length of the file in bytes.
  private var fileByteCount = Int.max
  private var isFinal = false
  /// True if a packet or tag must start at the first buffered byte: at the start, or after a proven packet.
  private var isAtBorder = true
  private var known: ProvenFormat?
  private var followsGap = false

  /// Bytes of garbage and damaged packets skipped so far, without tags.
  public private(set) var skippedByteCount = 0
  /// Bytes of tags skipped so far.
  public private(set) var taggedByteCount = 0

  /// Creates a framer for the beginning of a stream.
  public init() {}

  /// True if the last packet was proven and no garbage followed.
  public var isLocked: Bool { isAtBorder && known != nil }

  /// Sets the length of the file in bytes, also after `reset`. A tag that states a later end is then garbage.
  public mutating func limit(to byteCount: Int) { fileByteCount = byteCount }

  /// Appends as many bytes as fit and returns their number, at least 1 after `next` returned `.needsMore`.
  public mutating func append(_ bytes: Span<UInt8>) -> Int {
    precondition(!isFinal, "nothing is appended to a stream that is finished")
    var taken = 0
    if held.isEmpty, remainingTagByteCount > 0 {
      taken = min(remainingTagByteCount, bytes.count)
      passTag(taken)
    }
    let count = min(bytes.count - taken, Self.capacity - held.count)
    if held.upperBound + count > Self.capacity { moveToFront() }
    appendToBuffer(bytes.extracting(taken..<taken + count))
    held = held.lowerBound..<held.upperBound + count
    return taken + count
  }

  /// Marks the end of the stream: the last packet needs no successor.
  public mutating func finish() { isFinal = true }

  /// Remaining bytes of a tag, which the caller may skip without reading.
  public var absentByteCount: Int { held.isEmpty ? remainingTagByteCount : 0 }

  /// Bytes received after the last tag, or since the start of the stream; 0 while a tag arrives.
  public var untaggedByteCount: Int { passedByteCount + held.count - tagEnd }

  /// Skips the rest of a tag. The next appended byte is the first byte after the tag.
  public mutating func passAbsent() { if held.isEmpty { passTag(remainingTagByteCount) } }

  /// Starts a new stream and resets the counters, without allocation. `followsGap`: value for the first packet.
  /// `offset`: position of the first byte in a longer stream; if not 0, this byte need not start a packet.
  public mutating func reset(followsGap: Bool, at offset: Int = 0) {
    held = 0..<0
    passedByteCount = offset
    (remainingTagByteCount, tagEnd) = (0, offset)
    isInLyrics = false
    isFinal = false
    isAtBorder = offset == 0
    known = nil
    self.followsGap = followsGap
    skippedByteCount = 0
    taggedByteCount = 0
  }

  /// Passes the next whole packet to `body` in place and removes it, or needs more bytes.
  public mutating func next(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Framed {
    while true {
      switch isAtBorder ? checkBorder() : searchPacket() {
      case .tag(let tag) where passedByteCount.clampedSum(tag.byteCount) > fileByteCount: skip(1)
      case .tag(let tag):
        isInLyrics = tag.isFollowedByLyrics
        remainingTagByteCount = tag.byteCount
        passTag(min(remainingTagByteCount, held.count))
      case .packet(let header, let skipping, let byteCount):
        skip(skipping)
        deliver(header, byteCount, to: body)
        return .packet
      case .garbage(let count): skip(count)
      case .lyricsEnd: isInLyrics = false
      case .needsMore:
        assert(isFinal || held.count < Self.capacity, "more can be appended where more is needed")
        return .needsMore
      }
    }
  }

  private enum Step {
    case packet(PacketHeader, skipping: Int, byteCount: Int)
    case tag(MetadataTag)
    case lyricsEnd
    case garbage(Int)
    case needsMore
  }

  private func checkBorder() -> Step {
    guard remainingTagByteCount == 0 else { return .needsMore }
    let bytes = buffer.span.extracting(held)
    if isInLyrics { return checkLyrics() }
    switch PositionContent(bytes, at: 0, isFinal: isFinal) {
    case .tag(let tag): return .tag(tag)
    case .packet(let header):
      let proof =
        if let known {
          PacketProof.atBorder(bytes, header, known: known, isFinal: isFinal)
        } else {
          PacketProof.byItself(bytes, at: 0, header, .atBorder, isFinal: isFinal)
        }
      switch proof {
      case .proven(let byteCount): return .packet(header, skipping: 0, byteCount: byteCount)
      case .unfollowed(let byteCount): return judgeUnfollowed(header, byteCount)
      case .refuted: return .garbage(1)
      case .undecided: return .needsMore
      }
    case .end: return held.isEmpty ? .needsMore : .garbage(held.count)
    case .nothing: return .garbage(1)
    case .unknown: return .needsMore
    }
  }

  private func checkLyrics() -> Step {
    switch MetadataTag.lyricsField(buffer.span.extracting(held)) {
    case .found(let tag): return .tag(tag)
    case .nothing: return .lyricsEnd
    case .cut: return isFinal ? .lyricsEnd : .needsMore
    }
  }

  /// Judges a whole packet before garbage. Drops the packet if another packet follows soon: bytes may be missing.
  private func judgeUnfollowed(_ header: PacketHeader, _ byteCount: Int) -> Step {
    if case .packet = searchPacket(from: 1) { return .garbage(1) }
    return isFinal || held.count == Self.capacity ? .packet(header, skipping: 0, byteCount: byteCount) : .needsMore
  }

  /// Searches for a packet proven by a row of headers. A candidate that lacks bytes does not delay later candidates, so
  /// a false header costs no time.
  private func searchPacket(from first: Int = 0) -> Step {
    let bytes = buffer.span.extracting(held)
    var waiting: Int?
    for offset in first..<bytes.count where bytes[offset] == 0xFF {
      switch PacketHeader.search(bytes, at: offset) {
      case .nothing: continue
      case .cut: waiting = waiting ?? (isFinal ? nil : offset)
      case .found(let header):
        // The search for a free-format length is slow: do not repeat it on each append while a candidate waits.
        if waiting != nil, header.byteCount == nil { continue }
        guard let row = HeaderRow.searched(header, after: known) else { continue }
        switch PacketProof.byItself(bytes, at: offset, header, row, isFinal: isFinal) {
        case .proven(let byteCount): return .packet(header, skipping: offset, byteCount: byteCount)
        case .undecided: waiting = waiting ?? offset
        case .unfollowed, .refuted: continue
        }
      }
    }
    let garbage = waiting ?? bytes.count
    return garbage > 0 ? .garbage(garbage) : .needsMore
  }

  private mutating func deliver(_ header: PacketHeader, _ byteCount: Int, to body: (PacketInfo, Span<UInt8>) -> Void) {
    assert(byteCount > 0 && byteCount <= held.count, "a packet is handed out whole")
    let info = PacketInfo(
      format: header.format, byteCount: byteCount, duration: header.duration, byteOffset: passedByteCount,
      followsGap: followsGap, isFreeFormat: header.byteCount == nil)
    body(info, buffer.span.extracting(held.lowerBound..<held.lowerBound + byteCount))
    pass(byteCount)
    known = ProvenFormat(
      header: header, freeByteCount: header.byteCount == nil ? byteCount - header.paddingByteCount : nil)
    isAtBorder = true
    followsGap = false
  }

  private mutating func skip(_ count: Int) {
    guard count > 0 else { return }
    pass(count)
    skippedByteCount += count
    isAtBorder = false
    followsGap = true
  }

  private mutating func passTag(_ count: Int) {
    if held.isEmpty { passedByteCount += count } else { pass(count) }
    remainingTagByteCount -= count
    taggedByteCount += count
    tagEnd = passedByteCount
  }

  private mutating func pass(_ count: Int) {
    held = held.lowerBound + count..<held.upperBound
    passedByteCount += count
  }

  /// Copies the bytes after the buffered bytes, with a single bounds check for speed.
  private mutating func appendToBuffer(_ bytes: Span<UInt8>) {
    let place = held.upperBound
    precondition(bytes.count <= Self.capacity - place, "what is held leaves room for more")
    unsafe buffer.withUnsafeMutableBytes { room in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[place...])
      unsafe bytes.withUnsafeBytes { source in unsafe rest.copyMemory(from: source) }
    }
  }

  private mutating func moveToFront() {
    let held = held
    unsafe buffer.withUnsafeMutableBytes { room in
      unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[held]))
    }
    self.held = 0..<held.count
  }
}
