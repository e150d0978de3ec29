import Blocks
import Units

/// Finds the Vorbis, Opus and FLAC packets in an Ogg stream (RFC 3533), live or from a file. One thread at a time.
///
/// Of the logical streams that start together, the framer follows the first with a supported codec. A later group is
/// the next link of the chain. Setup and tags precede the packets of each link, and are repeated after a seek. Muted
/// frames have no duration: the pre-skip of Opus, and all frames that the last page cuts off.
public struct OggFramer: StreamFramer, ~Copyable {
  private var reader = OggPageReader()
  private var link: OggLink?
  private var known = OggKnownLinks()
  /// The place where the previous connection ended.
  private var previous: OggPlace?
  private var page: OggPage?
  private var handedCount = 0
  private var pendingReport = PendingReport.none
  private var hasReportedSetup = false
  /// True if the last page began a logical stream. If the next page also begins a logical stream, both share a link.
  private var isAmongFirst = false
  private var hasSeenLink = false
  private var hasDeliveredPacket = false
  private var followsGap = false
  private var beginsFile = false
  private var droppedByteCount = 0
  /// Number of links since the last packet, the current one included.
  public private(set) var soundlessLinkCount = 0

  /// Reason why the last link cannot be played; nil if no reason is known.
  public private(set) var refusal: RefusedCodec?

  /// Facts from the headers of the first link; nil before its first audio packet.
  public private(set) var facts: FramedFacts?

  private enum PendingReport { case none, setup, tags }

  /// Creates a framer for the beginning of a stream.
  public init() {}

  /// True if pages arrived after the start of their streams, without known headers.
  public var isHeadless: Bool { !hasSeenLink && !hasDeliveredPacket && droppedByteCount > 0 }

  /// Bytes of garbage, damaged packets and pages of unknown streams so far. Other logical streams are not counted.
  public var skippedByteCount: Int { reader.skippedByteCount + droppedByteCount + (link?.excessByteCount ?? 0) }

  /// Buffered bytes that may become packets.
  public var heldByteCount: Int { reader.heldByteCount + (link?.carriedByteCount ?? 0) }

  /// Appends as many bytes as fit and returns their number, at least 1 after `next` returned `.needsMore`.
  public mutating func append(_ bytes: Span<UInt8>) -> Int { reader.append(bytes) }

  /// Marks the end of the stream.
  public mutating func finish() { reader.finish() }

  /// Starts a new stream and resets the counters. `followsGap`: value for the first packet. With `offset` > 0 a known
  /// file continues at that byte, which need not start a page; positions count from it, headers stay known.
  public mutating func reset(followsGap: Bool, at offset: Int = 0) {
    reader.reset(at: offset)
    link = nil
    page = nil
    handedCount = 0
    pendingReport = .none
    if offset == 0 {
      known.removeAll()
      facts = nil
    }
    isAmongFirst = false
    hasSeenLink = false
    hasDeliveredPacket = false
    self.followsGap = followsGap
    beginsFile = false
    droppedByteCount = 0
    (refusal, previous, soundlessLinkCount) = (nil, nil, 0)
  }

  /// The state after the last page; nil before the first packet. Valid after `next` returned `.needsMore`.
  public var place: OggPlace? {
    guard hasDeliveredPacket else { return nil }
    return link.map { OggPlace($0, followsGap: followsGap, beginsFile: beginsFile) }
  }

  /// Continues at a place of an earlier connection, if the first audio page is the next page of the same stream.
  public mutating func resume(after place: OggPlace) {
    if followsGap, !hasDeliveredPacket { previous = place }
  }

  /// Returns the next item. A packet is passed to `body` in place. `byteOffset` is the offset of the page where the
  /// packet begins, `firstFrame` the number of its first audible frame in the link.
  public mutating func next(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Framed {
    while true {
      switch pendingReport {
      case .setup:
        pendingReport = .tags
        if let setup = link?.headers.setup { return .setup(setup) }
      case .tags:
        pendingReport = .none
        if let link { return .tags(link.headers.tags) }
      case .none:
        if deliverPacket(body) { return .packet }
        finishPage()
        guard let page = reader.next() else { return .needsMore }
        process(page)
      }
    }
  }

  private mutating func deliverPacket(_ body: (PacketInfo, Span<UInt8>) -> Void) -> Bool {
    guard let page, let link, let sound = link.parameters, handedCount < link.packets.count else { return false }
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
    (hasDeliveredPacket, followsGap, beginsFile) = (true, false, false)
    soundlessLinkCount = 0
    return true
  }

  private func info(_ packet: OggPacket, _ sound: OggCodecParameters) -> PacketInfo {
    let format = sound.format
    let origin = link?.origin ?? 0
    // The pre-skip counts from the first frame, whatever its number (RFC 7845, 4.2).
    let head = packet.mutedHead(before: origin + sound.preSkip)
    let tail = min(packet.mutedTail, packet.frames - head)
    var info = PacketInfo(
      format: format, byteCount: 0,
      duration: StreamTime(frames: FrameCount(packet.frames - head - tail), at: format.sampleRate),
      byteOffset: packet.byteOffset, followsGap: followsGap || packet.followsLoss)
    info.beginsFile = beginsFile
    (info.mutedHead, info.mutedTail, info.isTrimmed) = (head, tail, head + tail > 0)
    info.firstFrame = packet.firstFrame.map { max(origin, $0 - sound.preSkip) }
    info.link = link?.serial
    return info
  }

  private mutating func finishPage() {
    guard let page else { return }
    if link?.serial == page.serial {
      let (buffer, range) = reader.place(of: page)
      link?.finish(page, buffer.span.extracting(range))
    }
    reader.pass(page)
    (self.page, handedCount) = (nil, 0)
  }

  private mutating func process(_ page: OggPage) {
    self.page = page
    if page.isFirst { beginLink(page) } else { continueLink(page) }
    isAmongFirst = page.isFirst
    droppedByteCount += link?.removeDroppedByteCount() ?? 0
    guard let link else { return }
    if link.headers.areUnplayable {
      refuse()
    } else if let sound = link.parameters, !hasReportedSetup {
      known.insert(link.headers, of: link.serial)
      // The first packet determines the origin: a recorded live stream does not start at frame 0.
      guard let packet = link.packets.first else { return }
      (hasReportedSetup, pendingReport) = (true, .setup)
      guard facts == nil else { return }
      facts = FramedFacts(
        ogg: link.serial, preSkip: sound.preSkip, at: sound.format.sampleRate, firstByte: packet.byteOffset,
        firstFrame: max(packet.firstFrame ?? 0, link.origin + sound.preSkip))
    }
  }

  private mutating func beginLink(_ page: OggPage) {
    if !isAmongFirst {
      // Packets that the previous link lost at its end are not missing in the new link.
      if hasDeliveredPacket { (followsGap, beginsFile) = (false, true) }
      (link, hasSeenLink) = (nil, true)
      soundlessLinkCount += 1
    }
    known.remove(page.serial)
    guard link == nil else { return }
    let (buffer, range) = reader.place(of: page)
    link = OggLink(page, buffer.span.extracting(range))
    if link != nil { (hasReportedSetup, refusal) = (false, nil) }
  }

  private mutating func continueLink(_ page: OggPage) {
    if link == nil { resume(page) }
    continuePrevious(page)
    if link?.serial == page.serial {
      let (buffer, range) = reader.place(of: page)
      link?.process(page, buffer.span.extracting(range))
    }
  }

  private mutating func continuePrevious(_ page: OggPage) {
    guard !hasDeliveredPacket, let link, let previous, previous.link.isContinued(by: link, at: page) else { return }
    self.link = previous.link.continued(with: link.headers)
    (followsGap, beginsFile) = (previous.followsGap, previous.beginsFile)
    self.previous = nil
  }

  private mutating func resume(_ page: OggPage) {
    if let headers = known[page.serial] ?? previousHeaders(at: page) {
      link = OggLink(headers, resumedAt: page)
      (hasReportedSetup, refusal) = (false, nil)
      if hasDeliveredPacket { (followsGap, beginsFile) = (true, false) }
    } else if hasSeenLink {
      refuse()
    } else {
      droppedByteCount += page.byteCount
    }
  }

  /// Headers from the previous connection, for a server that does not repeat them.
  private func previousHeaders(at page: OggPage) -> OggHeaders? {
    guard !hasSeenLink, let link = previous?.link, link.serial == page.serial else { return nil }
    return link.headers
  }

  private mutating func refuse() {
    link = nil
    refusal = .other
  }
}
