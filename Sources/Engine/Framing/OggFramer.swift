import Blocks
import Units

/// Finds the packets of Vorbis, Opus and FLAC in a stream of Ogg (RFC 3533), live or a file, and says what they need.
///
/// Of the logical streams that begin together, the first one of a codec that is played is followed; others are skipped.
/// Each group that begins anew is another link of a chain. One thread at a time.
///
/// The tags and the set-up of a link are told before its packets, and again where a file is read on from another place.
/// Frames that are not heard take no time: of Opus the pre-skip, of all what the last page cuts off.
public struct OggFramer: ~Copyable {
  private var reader = OggPageReader()
  /// What is followed; nil where nothing is, or nothing can be.
  private var link: OggLink?
  private var known = OggKnownLinks()
  /// The page that was taken, while its packets are handed on.
  private var page: OggPage?
  /// So many of its packets were handed on.
  private var handedCount = 0
  private var news = News.none
  /// The set-up of the link was told.
  private var isTold = false
  /// The last page began a logical stream: another one may belong to the same link.
  private var isAmongFirst = false
  /// The beginning of a link was seen.
  private var hasBegun = false
  private var hasSounded = false
  private var followsGap = false
  private var beginsFile = false
  private var droppedByteCount = 0

  /// Why the link that came last cannot be played; nil while nothing speaks against it.
  public private(set) var refusal: RefusedCodec?

  /// What the headers of the stream's first link tell of a file; nil before they and a packet of sound came.
  public private(set) var facts: FramedFacts?

  /// What is to be told before the next packet.
  private enum News { case none, setup, tags }

  /// A framer at the beginning of a stream.
  public init() {}

  /// Bytes of garbage, of damaged packets, and of pages that nothing is known of, so far. Those of other logical
  /// streams are not among them.
  public var skippedByteCount: Int { reader.skippedByteCount + droppedByteCount + (link?.excessByteCount ?? 0) }

  /// Bytes that are held and may become packets.
  public var heldByteCount: Int { reader.heldByteCount + (link?.carriedByteCount ?? 0) }

  /// Takes as many bytes as fit, and says how many. After `next` returned `.needsMore`, at least one byte fits.
  public mutating func append(_ bytes: Span<UInt8>) -> Int { reader.append(bytes) }

  /// Says that no more bytes will come.
  public mutating func finish() { reader.finish() }

  /// Begins a new stream; counters begin anew too. `followsGap` is what its first packet tells. A stream whose first
  /// byte is the byte `offset` of a known file counts positions from there, nothing need stand at its first byte, and
  /// the headers of the links that were read are not needed again.
  public mutating func reset(followsGap: Bool, at offset: Int = 0) {
    reader.reset(at: offset)
    (link, page, handedCount, news) = (nil, nil, 0, .none)
    if offset == 0 {
      known.removeAll()
      facts = nil
    }
    (isAmongFirst, hasBegun, hasSounded) = (false, false, false)
    (self.followsGap, beginsFile) = (followsGap, false)
    droppedByteCount = 0
    refusal = nil
  }

  /// What is found next. A packet goes to `body`, in place, and is gone then. Its place is that of the page in which it
  /// began; its `firstFrame` the number of its first frame that is heard, in its link.
  public mutating func next(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Framed {
    while true {
      switch news {
      case .setup:
        news = .tags
        if let setup = link?.headers.setup { return .setup(setup) }
      case .tags:
        news = .none
        if let link { return .tags(link.headers.tags) }
      case .none:
        if hand(body) { return .packet }
        finishPage()
        guard let page = reader.next() else { return .needsMore }
        take(page)
      }
    }
  }

  /// Hands on the next packet of the page; false where there is none.
  private mutating func hand(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Bool {
    guard let page, let link, let sound = link.sound, handedCount < link.packets.count else { return false }
    let packet = link.packets[handedCount]
    var info = info(packet, sound)
    if let range = packet.range {
      let (buffer, place) = reader.place(of: page)
      info.byteCount = range.count
      body(info, buffer.span.extracting(place).extracting(range))
    } else {
      info.byteCount = link.carry.byteCount
      body(info, link.carry.bytes.span)
    }
    handedCount += 1
    (hasSounded, followsGap, beginsFile) = (true, false, false)
    return true
  }

  private func info(_ packet: OggPacket, _ sound: OggSound) -> PacketInfo {
    let format = sound.format
    let head = packet.mutedHead(before: sound.preSkip)
    let tail = min(packet.mutedTail, packet.frames - head)
    var info = PacketInfo(
      format: format, byteCount: 0,
      duration: StreamTime(frames: FrameCount(packet.frames - head - tail), at: format.sampleRate),
      byteOffset: packet.byteOffset, followsGap: followsGap || packet.followsLoss)
    info.beginsFile = beginsFile
    (info.mutedHead, info.mutedTail, info.isTrimmed) = (head, tail, head + tail > 0)
    info.firstFrame = packet.firstFrame.map { max(0, $0 - sound.preSkip) }
    info.link = link?.serial
    return info
  }

  /// Passes the page whose packets were handed on.
  private mutating func finishPage() {
    guard let page else { return }
    if link?.serial == page.serial {
      let (buffer, range) = reader.place(of: page)
      link?.finish(page, buffer.span.extracting(range))
    }
    reader.pass(page)
    (self.page, handedCount) = (nil, 0)
  }

  private mutating func take(_ page: OggPage) {
    self.page = page
    if page.isFirst { begin(page) } else { goOn(page) }
    isAmongFirst = page.isFirst
    droppedByteCount += link?.takeDropped() ?? 0
    guard let link else { return }
    if link.headers.areUnfit {
      refuse()
    } else if let sound = link.sound, !isTold {
      known.keep(link.headers, of: link.serial)
      // The first packet tells where a file begins: a live stream that was kept as one does not begin with frame 0.
      guard let packet = link.packets.first else { return }
      (isTold, news) = (true, .setup)
      guard facts == nil else { return }
      facts = FramedFacts(
        ogg: link.serial, preSkip: sound.preSkip, at: sound.format.sampleRate, firstByte: packet.byteOffset,
        firstFrame: packet.firstFrame ?? 0)
    }
  }

  /// Takes a page that begins a logical stream.
  private mutating func begin(_ page: OggPage) {
    if !isAmongFirst {
      // What the former link lost at its end is not missing in this one.
      if hasSounded { (followsGap, beginsFile) = (false, true) }
      (link, hasBegun) = (nil, true)
    }
    known.forget(page.serial)
    guard link == nil else { return }
    let (buffer, range) = reader.place(of: page)
    link = OggLink(page, buffer.span.extracting(range))
    if link != nil { (isTold, refusal) = (false, nil) }
  }

  /// Takes any other page.
  private mutating func goOn(_ page: OggPage) {
    if link == nil { resume(page) }
    if link?.serial == page.serial {
      let (buffer, range) = reader.place(of: page)
      link?.take(page, buffer.span.extracting(range))
    }
  }

  /// Follows a stream whose headers were read earlier, where it is one.
  private mutating func resume(_ page: OggPage) {
    if let headers = known[page.serial] {
      link = OggLink(headers, resumedAt: page)
      (isTold, refusal) = (false, nil)
      if hasSounded { (followsGap, beginsFile) = (true, false) }
    } else if hasBegun {
      refuse()
    } else {
      droppedByteCount += page.byteCount
    }
  }

  private mutating func refuse() {
    link = nil
    refusal = .other
  }
}
