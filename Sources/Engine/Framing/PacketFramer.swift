import Blocks
/// Finds the packets in a stream of MPEG audio, ADTS, or one after the other; the format may change at any packet.
///
/// A header is believed when the next one stands where it says. Where that fails, the packet is dropped and the search
/// goes on one byte further. Memory is reserved once, at `init`; nothing allocates after that. One thread at a time.
public struct PacketFramer: ~Copyable {
  /// Three of the longest packets and a header: enough to judge any of them.
  private static var capacity: Int { 16_384 }

  private var buffer = [UInt8](repeating: 0, count: Self.capacity)
  private var held = 0..<0
  /// Bytes that have gone through the buffer or past it.
  private var passedByteCount = 0
  /// What a tag still has to come.
  private var tagRest = 0
  /// Where the last tag ended, as far as it came, or else the stream began.
  private var tagEnd = 0
  private var isInLyrics = false
  private var isFinal = false
  /// A packet or a tag must stand at the first held byte: the stream began here, or a proven packet ended.
  private var isAtBorder = true
  private var known: ProvenFormat?
  private var followsGap = false

  /// Bytes of garbage and of damaged packets skipped so far; tags are not among them.
  public private(set) var skippedByteCount = 0
  /// Bytes of tags skipped so far.
  public private(set) var taggedByteCount = 0

  /// A framer at the beginning of a stream.
  public init() {}

  /// Whether the last packet proved itself and nothing has broken the row since.
  public var isLocked: Bool { isAtBorder && known != nil }

  /// Takes as many bytes as fit, and says how many; call `next` until it is false, then append the rest. After `next`
  /// was false, at least one byte fits.
  public mutating func append(_ bytes: Span<UInt8>) -> Int {
    precondition(!isFinal, "nothing is appended to a stream that is finished")
    var taken = 0
    if held.isEmpty, tagRest > 0 {
      taken = min(tagRest, bytes.count)
      passTag(taken)
    }
    let count = min(bytes.count - taken, Self.capacity - held.count)
    if held.upperBound + count > Self.capacity { moveToFront() }
    hold(bytes.extracting(taken..<taken + count))
    held = held.lowerBound..<held.upperBound + count
    return taken + count
  }

  /// Says that no more bytes will come, so that the last packet needs no successor.
  public mutating func finish() { isFinal = true }

  /// Bytes of a tag that have not come yet, and need not: they may be passed unread.
  public var absentTagByteCount: Int { held.isEmpty ? tagRest : 0 }

  /// Bytes that came behind the last tag, or else since the stream began; none while a tag is still coming.
  public var untaggedByteCount: Int { passedByteCount + held.count - tagEnd }

  /// Passes what of a tag has not come; the stream goes on behind it.
  public mutating func passAbsentTag() { if held.isEmpty { passTag(tagRest) } }

  /// Begins a new stream with the same memory; counters begin anew too. `followsGap` is what its first packet tells
  /// even if the stream begins with it. A stream whose first byte is the byte `offset` of a longer one counts positions
  /// from there, and nothing need stand at its first byte.
  public mutating func reset(followsGap: Bool, at offset: Int = 0) {
    held = 0..<0
    passedByteCount = offset
    (tagRest, tagEnd) = (0, offset)
    isInLyrics = false
    isFinal = false
    isAtBorder = offset == 0
    known = nil
    self.followsGap = followsGap
    skippedByteCount = 0
    taggedByteCount = 0
  }

  /// Hands the next whole packet to `body`, in place, and drops it; false when more bytes are needed.
  public mutating func next(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Bool {
    while true {
      switch isAtBorder ? lookAtBorder() : lookAround() {
      case .tag(let tag):
        isInLyrics = tag.leadsToLyrics
        tagRest = tag.byteCount
        passTag(min(tagRest, held.count))
      case .packet(let header, let skipping, let byteCount):
        skip(skipping)
        hand(header, byteCount, to: body)
        return true
      case .garbage(let count): skip(count)
      case .lyricsEnd: isInLyrics = false
      case .needsMore:
        assert(isFinal || held.count < Self.capacity, "more can be appended where more is needed")
        return false
      }
    }
  }

  /// What to do with the first held bytes.
  private enum Step {
    case packet(PacketHeader, skipping: Int, byteCount: Int)
    case tag(MetadataTag)
    case lyricsEnd
    case garbage(Int)
    case needsMore
  }

  private func lookAtBorder() -> Step {
    guard tagRest == 0 else { return .needsMore }
    let bytes = buffer.span.extracting(held)
    if isInLyrics { return lookAtLyrics() }
    switch Landmark(bytes, at: 0, isFinal: isFinal) {
    case .tag(let tag): return .tag(tag)
    case .packet(let header):
      let proof =
        if let known {
          PacketProof.atBorder(bytes, header, known: known, isFinal: isFinal)
        } else {
          PacketProof.byItself(bytes, at: 0, header, links: 1, isFinal: isFinal)
        }
      switch proof {
      case .proven(let byteCount): return .packet(header, skipping: 0, byteCount: byteCount)
      case .unfollowed(let byteCount): return lookBehind(header, byteCount)
      case .refuted: return .garbage(1)
      case .undecided: return .needsMore
      }
    case .end: return held.isEmpty ? .needsMore : .garbage(held.count)
    case .nothing: return .garbage(1)
    case .unknown: return .needsMore
    }
  }

  private func lookAtLyrics() -> Step {
    switch MetadataTag.lyricsField(buffer.span.extracting(held)) {
    case .found(let tag): return .tag(tag)
    case .nothing: return .lyricsEnd
    case .cut: return isFinal ? .lyricsEnd : .needsMore
    }
  }

  /// Judges a whole packet with garbage behind it. Where another packet comes soon, bytes were lost, perhaps of this
  /// one; where none does, it is the last.
  private func lookBehind(_ header: PacketHeader, _ byteCount: Int) -> Step {
    if case .packet = lookAround(from: 1) { return .garbage(1) }
    return isFinal || held.count == Self.capacity ? .packet(header, skipping: 0, byteCount: byteCount) : .needsMore
  }

  /// Searches the held bytes for a packet that two more prove: pairs of false headers are too common. One that must
  /// wait for its bytes does not hold up a later one that need not, so a false header costs no time.
  private func lookAround(from first: Int = 0) -> Step {
    let bytes = buffer.span.extracting(held)
    var waiting: Int?
    for offset in first..<bytes.count where bytes[offset] == 0xFF {
      switch PacketHeader.search(bytes, at: offset) {
      case .nothing: continue
      case .cut: waiting = waiting ?? (isFinal ? nil : offset)
      case .found(let header):
        // To find the length of free format is dear: it is done once, not again with every append.
        if waiting != nil, header.byteCount == nil { continue }
        switch PacketProof.byItself(bytes, at: offset, header, links: 2, known: known, isFinal: isFinal) {
        case .proven(let byteCount): return .packet(header, skipping: offset, byteCount: byteCount)
        case .undecided: waiting = waiting ?? offset
        case .unfollowed, .refuted: continue
        }
      }
    }
    let garbage = waiting ?? bytes.count
    return garbage > 0 ? .garbage(garbage) : .needsMore
  }

  private mutating func hand(_ header: PacketHeader, _ byteCount: Int, to body: (PacketInfo, Span<UInt8>) -> Void) {
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

  /// Passes the bytes of a tag, whether they are held or never came to be.
  private mutating func passTag(_ count: Int) {
    if held.isEmpty { passedByteCount += count } else { pass(count) }
    tagRest -= count
    taggedByteCount += count
    tagEnd = passedByteCount
  }

  private mutating func pass(_ count: Int) {
    held = held.lowerBound + count..<held.upperBound
    passedByteCount += count
  }

  /// Copies behind what is held, all bytes after one check.
  private mutating func hold(_ bytes: Span<UInt8>) {
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
