import Blocks
import Framing
import Http
import Listings
import Units

/// Receives the parts of a stream in the order of their arrival.
protocol StreamReceiver: AnyObject {
  /// Accepts a packet. `title`: the title that begins with the packet; the last one if several precede it.
  func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?)
  func number(of setup: CodecSetup) -> UInt8
  /// Place in an Ogg stream where an earlier connection ended; nil without one.
  var place: OggPlace? { get }
}

extension StreamReceiver {
  func number(of setup: CodecSetup) -> UInt8 { 0 }
  var place: OggPlace? { nil }
}

/// Detects the content of one response, then collects a playlist or splits audio into packets. Net thread only.
final class StreamIntake {
  enum Phase: Equatable {
    case sniffing
    case playlist(PlaylistKind)
    case segments
    case audio
    case refused(RefusedKind)
    case unknown
    case empty
  }

  private(set) var phase: Phase
  private var demuxer: IcyDemuxer
  private var container: ContainerReader?
  /// Detected container; nil before detection and for plain packets.
  private(set) var form: StreamContainer?
  /// True if a container is open. Readable while `container` is being read, which excludes all other accesses.
  private var isContained = false
  private var framer: any StreamFramer & ~Copyable = PacketFramer()
  /// True if the framer itself parses the container, such as Ogg.
  private var isFramed = false
  private let followsGap: Bool
  /// Number of the codec parameters for the packets; 0 without parameters.
  private var setup: UInt8 = 0
  private var tags = StreamTags()
  private let text: TitleText
  private var titles = WaitingTitles()
  private var pagedPlace = PagedPlace()
  /// The bytes being sniffed, later the text of a playlist.
  private(set) var gathered: [UInt8] = []
  /// The header field; nil for a part of a file.
  let contentType: String?
  private let path: String?
  private var feed: FeedReader?
  private var playlist: HlsPlaylistReader?
  private var bytesSinceAudio = 0
  /// Value of `framer.skippedByteCount` at the last packet.
  private var skippedBefore = 0
  /// First bytes of audio, which may reveal another format; nil after the first packet.
  private var unrecognisedStart: [UInt8]?
  private(set) var delivered = StreamTime.zero
  /// Bytes of audio so far, including tags and garbage.
  private(set) var byteCount = 0
  private(set) var packetByteCount = 0
  /// Bytes of tags, headers, lists and feeds so far.
  private(set) var textByteCount = 0
  /// True for a file of known length: the search for audio ends with the file.
  private var isWholeFile = false
  /// Number of bytes to collect instead of packets; nil for audio to play.
  private var probeByteCount: Int?
  private var mark = SegmentListDetector()
  private var tag = Id3Reader()

  static let maxPlaylistByteCount = 1 << 20
  /// Maximum bytes before the first packet; a longer start is not audio (R1.12).
  static let maxLeadingByteCount = 256_000
  /// Maximum bytes between two packets. A stream with a longer gap is no longer audio.
  static let maxGapByteCount = 512 * 1024
  /// Maximum bytes without a packet in a file of known length: any padding or unmarked picture.
  static let maxFileGapByteCount = 1 << 26
  /// Maximum bytes between two packets if undamaged boxes announce audio: pictures may come first.
  static let maxBoxByteCount = 4 << 20
  /// Maximum bytes skipped after a start inside Ogg: more than the longest page. After that, the link is unknown.
  private static let maxUnknownLinkByteCount = 1 << 16
  /// Maximum bytes without a packet in an undamaged container: headers, pictures and other streams.
  private static let maxHeaderByteCount = 1 << 25

  /// Creates the intake of a response. `followsGap`: true if audio was played before.
  init(kind: StationRequest.AddressKind, head: HttpHead, path: String?, followsGap: Bool, text: TitleText) {
    self.text = text
    demuxer = IcyDemuxer(metaint: head.icy.metaint ?? 0)
    contentType = head.contentType
    (self.path, self.followsGap) = (path, followsGap)
    framer.reset(followsGap: followsGap, at: 0)
    unrecognisedStart = []
    switch kind {
    case .automatic: phase = .sniffing
    case .raw: phase = .audio
    case .playlist(let kind): phase = .playlist(kind)
    }
  }

  /// Creates the intake of a known file from byte `byte` on. The packets carry their position in the file.
  /// `before`: the intake of the file's start. Its header facts move to this intake; do not use `before` afterwards.
  init(fileFrom byte: Int, after before: StreamIntake? = nil) {
    demuxer = IcyDemuxer(metaint: 0)
    (contentType, path, followsGap) = (nil, nil, byte > 0)
    text = TitleText(encoding: nil)
    phase = .audio
    if let before, before.isFramed {
      swap(&framer, &before.framer)
      form = before.form
      (isContained, isFramed) = (true, true)
      setup = before.setup
      tags = before.tags
      facts = before.facts
    }
    framer.reset(followsGap: byte > 0, at: byte)
    if byte > 0 { tag.end() }
    if let form = before?.form, !isFramed, form != .packed { open(form) }
  }

  /// Searches a file of `byteCount` bytes to its end. A tag that states a later end is not a tag.
  func searchFile(of byteCount: Int) {
    isWholeFile = true
    framer.limit(to: byteCount)
  }

  /// Collects the next `byteCount` bytes, and ignores all further bytes.
  func probe(_ byteCount: Int) { probeByteCount = byteCount }

  /// True if more bytes than those of the probe have arrived.
  var exceedsProbe: Bool { probeByteCount.map { byteCount > $0 } ?? false }

  /// Remaining bytes of a tag, which need not be received.
  var absentTagByteCount: Int { phase == .audio ? framer.absentByteCount : 0 }

  /// Bytes skipped as damage since the last packet.
  private var skippedByteCount: Int { framer.skippedByteCount - skippedBefore }

  var heldByteCount: Int { framer.heldByteCount }

  /// True if Ogg data from inside a file belongs to an unknown link.
  var isInUnknownLink: Bool {
    form == .ogg && followsGap && packetByteCount == 0 && skippedByteCount > Self.maxUnknownLinkByteCount
  }

  /// The place in an Ogg stream after the last page; nil before audio. Not readable while bytes are processed.
  var place: OggPlace? { framer.place }

  /// True if Ogg pages arrived, but no headers.
  var isHeadless: Bool { framer.isHeadless }

  private var announcesAudio: Bool {
    switch container {
    case .some(let container): container.announcesAudio
    case nil: false
    }
  }

  var isInHeaders: Bool { isFramed && delivered == .zero }

  /// Facts for a seek in a container such as Ogg; nil for other formats and before the headers.
  private(set) var facts: FramedFacts?

  /// The file's title. The container's own tags replace an ID3 tag in front of the container.
  var tagTitle: ExternalTitle? {
    if let title = tags.title { return ExternalTitle(artist: tags.artist, track: title, url: nil) }
    return tag.title.map { ExternalTitle(artist: tag.artist, track: $0, url: nil) }
  }

  func skipAbsentTag() {
    tag.end()
    framer.passAbsent()
    bytesSinceAudio = 0
  }

  func process(_ bytes: Span<UInt8>, _ taker: any StreamReceiver) {
    switch phase {
    case .audio: processAudio(bytes, taker)
    case .sniffing:
      gather(bytes)
      decideContent(isWhole: false, taker)
    case .playlist(.feed): readFeed(bytes)
    case .playlist: readList(bytes)
    case .segments: readSegments(bytes)
    case .refused, .unknown, .empty: break
    }
    if case .playlist = phase, gathered.count > Self.maxPlaylistByteCount { phase = .unknown }
  }

  /// Processes the end of the data. A last packet without a successor is then complete.
  func finish(_ taker: any StreamReceiver) {
    if phase == .sniffing { decideContent(isWhole: true, taker) }
    guard phase == .audio else { return }
    framer.finish()
    drain(taker)
    if delivered == .zero { phase = byteCount == 0 ? .empty : isHeadless ? .refused(.headlessOgg) : .unknown }
  }

  /// An HLS tag, anywhere in the list, changes the phase: HLS segments are not separate files.
  private func readList(_ bytes: Span<UInt8>) {
    textByteCount += bytes.count
    gather(bytes)
    guard phase == .playlist(.m3u), mark.detect(in: bytes) else { return }
    phase = .segments
    let text = gathered
    gathered = []
    readSegments(text.span)
  }

  private func readSegments(_ bytes: Span<UInt8>) {
    textByteCount += bytes.count
    if playlist == nil { playlist = HlsPlaylistReader() }
    playlist?.append(bytes)
  }

  func finishPlaylist() -> HlsPlaylist? {
    guard let reader = playlist.take() else { return nil }
    return try? reader.finish()
  }

  private func readFeed(_ bytes: Span<UInt8>) {
    textByteCount += bytes.count
    if feed == nil { feed = FeedReader(contentType: contentType) }
    feed?.append(bytes)
  }

  var isFeedComplete: Bool { feed?.isComplete == true }

  func finishFeed() -> Feed? {
    guard let reader = feed.take() else { return nil }
    return try? reader.finish()
  }

  private func gather(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { gathered += $0.prefix(Self.maxPlaylistByteCount + 1 - gathered.count) }
  }

  private func decideContent(isWhole: Bool, _ taker: any StreamReceiver) {
    let kind = ContentSniffer.sniff(gathered.span, isWhole: isWhole, contentType: contentType, path: path)
    switch kind {
    case nil: return
    case .playlist(let kind):
      phase = .playlist(kind)
      let head = gathered
      gathered = []
      kind == .feed ? readFeed(head.span) : readList(head.span)
    case .hls:
      phase = .segments
      let head = gathered
      gathered = []
      readSegments(head.span)
    case .refused(let kind): phase = .refused(kind)
    case .empty: phase = .empty
    case .unknown: phase = .unknown
    case .audio, .container:
      if case .container(let container) = kind { open(container) }
      phase = .audio
      let head = gathered
      gathered = []
      processAudio(head.span, taker)
    }
  }

  private func processAudio(_ bytes: Span<UInt8>, _ taker: any StreamReceiver) {
    if let probeByteCount {
      textByteCount += bytes.count
      byteCount += bytes.count
      return bytes.withUnsafeBufferPointer { gathered += $0.prefix(max(0, probeByteCount - gathered.count)) }
    }
    demuxer.demux(bytes) {
      processContained($0, taker)
    } metadata: {
      if let title = text.title(in: $0) { titles.append(title, at: byteCount) }
    }
    let usual = delivered == .zero ? Self.maxLeadingByteCount : Self.maxGapByteCount
    let most = announcesAudio ? Self.maxBoxByteCount : usual
    let mostPacked = isWholeFile ? Self.maxFileGapByteCount : most
    guard phase == .audio else { return }
    // Only a link with audio before or after it may have long headers.
    let isLong = isFramed && framer.soundlessLinkCount < 3
    if bytesSinceAudio > (isLong ? Self.maxHeaderByteCount : isFramed ? most : mostPacked) { phase = .unknown }
    if isFramed, skippedByteCount > most { phase = isHeadless ? .refused(.headlessOgg) : .unknown }
  }

  private func processContained(_ bytes: Span<UInt8>, _ taker: any StreamReceiver) {
    isContained && !isFramed ? unpack(bytes, taker) : feed(bytes, taker)
  }

  private func open(_ container: StreamContainer) {
    (form, isContained) = (container, true)
    guard let framer = container.makeFramer() else { return self.container = ContainerReader(container) }
    self.framer = framer
    self.framer.reset(followsGap: followsGap, at: 0)
    isFramed = true
  }

  private func unpack(_ bytes: Span<UInt8>, _ taker: any StreamReceiver) {
    bytesSinceAudio += bytes.count
    container?.read(bytes) {
      feed($0, taker)
    } tag: { _ in
    }
    if let refusal = refusal(of: container) { phase = .refused(RefusedKind(refusal)) }
  }

  private func refusal(of container: borrowing ContainerReader?) -> RefusedCodec? {
    switch container {
    case .some(let container): container.refusal
    case nil: nil
    }
  }

  private func searchOtherFormat(_ bytes: Span<UInt8>, _ taker: any StreamReceiver) {
    guard phase == .audio, var known = unrecognisedStart, known.count < ContentSniffer.maxHeadByteCount else { return }
    let rest = bytes.extracting(min(bytes.count, ContentSniffer.maxHeadByteCount - known.count)...)
    for index in 0..<bytes.count - rest.count { known.append(bytes[index]) }
    unrecognisedStart = known
    switch ContentSniffer.detectJoined(known.span) {
    case .container(let container):
      open(container)
      unrecognisedStart = nil
      let count = known.count + rest.count
      framer.reset(followsGap: followsGap, at: isFramed ? byteCount - count : 0)
      if isFramed { byteCount -= count }
      processContained(known.span, taker)
      processContained(rest, taker)
    case .refused(let kind): phase = .refused(kind)
    default: break
    }
  }

  private func feed(_ bytes: Span<UInt8>, _ taker: any StreamReceiver) {
    var place = 0
    byteCount += bytes.count
    if !tag.isFinished { tag.append(bytes) }
    let (tagged, heard) = (framer.taggedByteCount, packetByteCount)
    if isFramed, heard == 0, let place = taker.place { framer.resume(after: place) }
    bytesSinceAudio += bytes.count
    while place < bytes.count {
      place += framer.append(bytes.extracting(place..<bytes.count))
      drain(taker)
    }
    // A tag may be of any length, for example with a picture.
    let newlyTagged = framer.taggedByteCount - tagged
    bytesSinceAudio = max(0, bytesSinceAudio - newlyTagged)
    // Undamaged bytes before the first packet of a link are its headers. Garbage in a file is not a doubt.
    let isHead = packetByteCount == heard && (isFramed ? skippedByteCount == 0 : isWholeFile)
    textByteCount += isHead ? bytes.count : newlyTagged
    if newlyTagged > 0, unrecognisedStart != nil { unrecognisedStart = [] }
    if !isContained { searchOtherFormat(bytes.extracting(last: framer.untaggedByteCount), taker) }
  }

  private func drain(_ taker: any StreamReceiver) {
    while true {
      let found = framer.next { info, bytes in
        var info = info
        info.format.setup = setup
        let place = form == .ogg ? pagedPlace.next(page: info.byteOffset, byteCount: info.byteCount) : nil
        bytes.withUnsafeBytes { taker.accept(info, $0, titles.next(place)) }
        delivered += info.duration
        packetByteCount += info.byteCount
        // A packet without duration (encoder delay) does not count as audio.
        if info.duration > .zero { bytesSinceAudio = 0 }
        unrecognisedStart = nil
      }
      switch found {
      case .packet: skippedBefore = framer.skippedByteCount
      case .setup(let setup):
        self.setup = taker.number(of: setup)
        facts = framer.facts ?? facts
      case .tags(let tags):
        self.tags = tags
        titles.append(tags: StationTitle(tags))
      case .needsMore:
        if let refusal = framer.refusal { phase = .refused(RefusedKind(refusal)) }
        return
      }
    }
  }
}
