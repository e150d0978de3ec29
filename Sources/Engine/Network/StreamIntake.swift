import Blocks
import Framing
import Listings
import Units

/// What takes the parts of a stream, in the order in which they came.
protocol StreamTaker: AnyObject {
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer)
  func take(metadata block: Span<UInt8>)
  /// What its own tags call what comes from the next packet on.
  func take(_ tags: StreamTags)
  /// The number of what the next packets need to be decoded.
  func number(of setup: CodecSetup) -> UInt8
}

extension StreamTaker {
  func take(_ tags: StreamTags) {}
  func number(of setup: CodecSetup) -> UInt8 { 0 }
}

/// What becomes of the bytes of one answer: recognised, then gathered as a playlist, or cut into packets. The net
/// thread's.
final class StreamIntake {
  /// What the answer is.
  enum Phase: Equatable {
    case sniffing
    case playlist(PlaylistKind)
    /// A list of HLS.
    case segments
    case audio
    case refused(RefusedKind)
    case unknown
    case empty
  }

  private(set) var phase: Phase
  private var demuxer: IcyDemuxer
  /// What takes the sound out of its container; nil where it is in none.
  private var container: ContainerReader?
  /// What that container is; nil before the first bytes told.
  private(set) var form: StreamContainer?
  /// Whether there is one; while it reads, it is not looked at.
  private var isContained = false
  private var framer = StreamFramer()
  private let followsGap: Bool
  /// The number of what its packets need to be decoded; 0 for nothing.
  private var setup: UInt8 = 0
  /// What its own tags call what comes.
  private var tags = StreamTags()
  /// The head while it is sniffed, then the text of a playlist.
  private(set) var gathered: [UInt8] = []
  private let contentType: String?
  private let path: String?
  /// What reads a podcast's feed while it comes.
  private var feed: FeedReader?
  /// What reads a list of HLS while it comes.
  private var playlist: HlsPlaylistReader?
  /// Bytes without a single packet in them.
  private var barren = 0
  /// Bytes of Ogg, FLAC or WAV that were skipped as damage up to the last packet.
  private var skippedBefore = 0
  /// The first bytes of audio, until a packet is found in them: they may show what else it is.
  private var doubtful: [UInt8]?
  /// What was put into the ring from this answer.
  private(set) var delivered = StreamTime.zero
  /// Bytes of audio taken, tags and garbage counted.
  private(set) var byteCount = 0
  /// Bytes of packets so far.
  private(set) var packetByteCount = 0
  /// Bytes of tags, or of a list or a feed, so far.
  private(set) var textByteCount = 0
  private var mark = SegmentMark()
  /// Reads the tag that a file begins with.
  private var tag = Id3Reader()

  /// A playlist longer than this is none.
  static let longestPlaylist = 1 << 20
  /// A stream whose first so many bytes hold no packet is no audio (R1.12).
  static let mostUnknown = 256_000
  /// One that held packets, and then so many bytes without any, is none any more.
  static let mostBarren = 512 * 1024
  /// More than the longest page of Ogg: where nothing is known of it, the pages are of another link.
  private static let mostAstray = 1 << 16
  /// Headers, pictures and other streams in one that is well in order are no more than this without a packet.
  private static let mostHeaders = 1 << 25

  /// An intake of the answer that began with `head`; `followsGap` where audio was heard before it.
  init(kind: StationRequest.AddressKind, head: HttpHead, path: String?, followsGap: Bool) {
    demuxer = IcyDemuxer(metaint: head.icy.metaint ?? 0)
    contentType = head.contentType
    (self.path, self.followsGap) = (path, followsGap)
    framer.reset(followsGap: followsGap)
    doubtful = []
    switch kind {
    case .automatic: phase = .sniffing
    case .raw: phase = .audio
    case .playlist(let kind): phase = .playlist(kind)
    }
  }

  /// An intake of a known file from one of its bytes on; packets tell their place in the file. What `before`, which
  /// took its beginning and takes nothing more, knows of its headers holds on.
  init(fileFrom byte: Int, after before: StreamIntake? = nil) {
    demuxer = IcyDemuxer(metaint: 0)
    (contentType, path, followsGap) = (nil, nil, byte > 0)
    phase = .audio
    if let before, before.isFramed {
      swap(&framer, &before.framer)
      (form, isContained, setup, tags, facts) = (before.form, true, before.setup, before.tags, before.facts)
    }
    framer.reset(followsGap: byte > 0, at: byte)
    if byte > 0 { tag.end() }
    if let form = before?.form, !isFramed, form != .packed { open(form) }
  }

  /// Whether it is Ogg, FLAC or WAV, of which the framer itself knows the form.
  private var isFramed: Bool { framer.form != .packed }

  /// Bytes of a tag that did not come yet and need not.
  var absentTagByteCount: Int { phase == .audio ? framer.absentByteCount : 0 }

  /// Such bytes since then.
  private var skippedByteCount: Int { framer.skippedByteCount - skippedBefore }

  /// Bytes of packets that did not come whole.
  var heldByteCount: Int { framer.heldByteCount }

  /// Whether what comes of Ogg from the midst of a file belongs to links of which nothing is known.
  var isAstray: Bool { form == .ogg && followsGap && packetByteCount == 0 && skippedByteCount > Self.mostAstray }

  /// Whether headers of Ogg, FLAC or WAV come, and no packet came.
  var isInHeaders: Bool { isFramed && delivered == .zero }

  /// What is known of where the sound lies in a file of Ogg, FLAC or WAV; nil of others, and before its headers came.
  private(set) var facts: FramedFacts?

  /// What the tags that a file begins with say of it so far; nil where that is no title.
  var tagTitle: ExternalTitle? {
    if let title = tag.title { return ExternalTitle(artist: tag.artist, track: title, url: nil) }
    return tags.title.map { ExternalTitle(artist: tags.artist, track: $0, url: nil) }
  }

  /// Goes on behind that tag.
  func passAbsentTag() {
    tag.end()
    framer.passAbsent()
    barren = 0
  }

  /// Takes bytes; packets and titles go to `taker`.
  func take(_ bytes: Span<UInt8>, _ taker: any StreamTaker) {
    switch phase {
    case .audio: takeAudio(bytes, taker)
    case .sniffing:
      gather(bytes)
      settle(isWhole: false, taker)
    case .playlist(.feed): readFeed(bytes)
    case .playlist: readList(bytes)
    case .segments: readSegments(bytes)
    case .refused, .unknown, .empty: break
    }
    if case .playlist = phase, gathered.count > Self.longestPlaylist { phase = .unknown }
  }

  /// No more bytes come: a last packet without a successor is whole after all.
  func finish(_ taker: any StreamTaker) {
    if phase == .sniffing { settle(isWhole: true, taker) }
    guard phase == .audio else { return }
    framer.finish()
    drain(taker)
    if delivered == .zero { phase = byteCount == 0 ? .empty : .unknown }
  }

  /// Takes the text of a list. The segments of an HLS stream are no files to be played one after the other, wherever in
  /// the list that shows.
  private func readList(_ bytes: Span<UInt8>) {
    textByteCount += bytes.count
    gather(bytes)
    guard phase == .playlist(.m3u), mark.shows(in: bytes) else { return }
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

  /// The list of HLS, of which no more comes; nil where it cannot be read.
  func takePlaylist() -> HlsPlaylist? {
    guard let reader = playlist.take() else { return nil }
    return try? reader.finish()
  }

  private func readFeed(_ bytes: Span<UInt8>) {
    textByteCount += bytes.count
    if feed == nil { feed = FeedReader() }
    feed?.append(bytes)
  }

  /// Whether all of a feed that counts has come, though more of it may follow.
  var isFeedComplete: Bool { feed?.isComplete == true }

  /// What the feed says; nil where there is none, or nothing to be heard in it.
  func takeFeed() -> Feed? {
    guard let reader = feed.take() else { return nil }
    return try? reader.finish()
  }

  private func gather(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { gathered += $0.prefix(Self.longestPlaylist + 1 - gathered.count) }
  }

  /// Decides what the gathered head is, if it can be decided.
  private func settle(isWhole: Bool, _ taker: any StreamTaker) {
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
      takeAudio(head.span, taker)
    }
  }

  private func takeAudio(_ bytes: Span<UInt8>, _ taker: any StreamTaker) {
    demuxer.demux(bytes, audio: { takeContained($0, taker) }, metadata: { taker.take(metadata: $0) })
    let most = delivered == .zero ? Self.mostUnknown : Self.mostBarren
    if phase == .audio, barren > (isFramed ? Self.mostHeaders : most) || skippedByteCount > most { phase = .unknown }
  }

  private func takeContained(_ bytes: Span<UInt8>, _ taker: any StreamTaker) {
    isContained && !isFramed ? unpack(bytes, taker) : feed(bytes, taker)
  }

  private func open(_ container: StreamContainer) {
    (form, isContained) = (container, true)
    switch container {
    case .ogg, .flac, .wav: framer.open(container, followsGap: followsGap)
    case .packed, .latm, .transport, .fragments: self.container = ContainerReader(container)
    }
  }

  /// Takes bytes of a container.
  private func unpack(_ bytes: Span<UInt8>, _ taker: any StreamTaker) {
    barren += bytes.count
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

  /// Looks for what else it may be in the first bytes that hold no packet.
  private func doubt(_ bytes: Span<UInt8>, _ taker: any StreamTaker) {
    guard phase == .audio, var known = doubtful, known.count < ContentSniffer.longestHead else { return }
    let rest = bytes.extracting(min(bytes.count, ContentSniffer.longestHead - known.count)...)
    for index in 0..<bytes.count - rest.count { known.append(bytes[index]) }
    doubtful = known
    switch ContentSniffer.joined(known.span) {
    case .container(let container):
      open(container)
      doubtful = nil
      let count = known.count + rest.count
      framer.reset(followsGap: followsGap, at: isFramed ? byteCount - count : 0)
      if isFramed { byteCount -= count }
      takeContained(known.span, taker)
      takeContained(rest, taker)
    case .refused(let kind): phase = .refused(kind)
    default: break
    }
  }

  private func feed(_ bytes: Span<UInt8>, _ taker: any StreamTaker) {
    var place = 0
    byteCount += bytes.count
    if !tag.isOver { tag.append(bytes) }
    let (tagged, heard) = (framer.taggedByteCount, packetByteCount)
    barren += bytes.count
    while place < bytes.count {
      place += framer.append(bytes.extracting(place..<bytes.count))
      drain(taker)
    }
    // A tag may be as long as it likes, and hold a picture or anything else.
    let newlyTagged = framer.taggedByteCount - tagged
    barren = max(0, barren - newlyTagged)
    // What is well in order before the first packet of a link is its headers.
    textByteCount += isFramed && packetByteCount == heard && skippedByteCount == 0 ? bytes.count : newlyTagged
    if newlyTagged > 0, doubtful != nil { doubtful = [] }
    if !isContained { doubt(bytes.extracting(last: framer.untaggedByteCount), taker) }
  }

  private func drain(_ taker: any StreamTaker) {
    while true {
      let found = framer.next { info, bytes in
        var info = info
        info.format.setup = setup
        bytes.withUnsafeBytes { taker.take(info, $0) }
        delivered += info.duration
        packetByteCount += info.byteCount
        // What an encoder wants muted leads to no sound.
        if info.duration > .zero { barren = 0 }
        doubtful = nil
      }
      switch found {
      case .packet: skippedBefore = framer.skippedByteCount
      case .setup(let setup):
        self.setup = taker.number(of: setup)
        facts = framer.facts ?? facts
      case .tags(let tags):
        self.tags = tags
        taker.take(tags)
      case .needsMore:
        if let refusal = framer.refusal { phase = .refused(RefusedKind(refusal)) }
        return
      }
    }
  }
}
