import Blocks
import Framing
import Listings
import Units

/// What takes the parts of a stream, in the order in which they came.
protocol StreamTaker: AnyObject {
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer)
  func take(metadata block: Span<UInt8>)
}

/// What becomes of the bytes of one answer: recognised, then gathered as a playlist, or cut into packets. The net
/// thread's.
final class StreamIntake {
  /// What the answer is.
  enum Phase: Equatable {
    case sniffing
    case playlist(PlaylistKind)
    case audio
    case refused(RefusedKind)
    case unknown
    case empty
  }

  private(set) var phase: Phase
  private var demuxer: IcyDemuxer
  private var framer = PacketFramer()
  /// The head while it is sniffed, then the text of a playlist.
  private(set) var gathered: [UInt8] = []
  private let contentType: String?
  private let path: String?
  /// What reads a podcast's feed while it comes.
  private var feed: FeedReader?
  /// Bytes without a single packet in them.
  private var barren = 0
  /// The first bytes of audio, until a packet is found in them: they may show what else it is.
  private var doubtful: [UInt8]?
  /// What was put into the ring from this answer.
  private(set) var delivered = StreamTime.zero
  /// Bytes of audio taken, tags and garbage counted.
  private(set) var byteCount = 0
  /// Grows with all that is recognised: packets, tags, the text of a feed.
  private(set) var recognisedByteCount = 0

  /// A playlist longer than this is none.
  static let longestPlaylist = 1 << 20
  /// A stream whose first so many bytes hold no packet is no audio (R1.12).
  static let mostUnknown = 256_000
  /// One that held packets, and then so many bytes without any, is none any more.
  static let mostBarren = 512 * 1024
  /// A stream in which nothing is recognised for so long, while bytes come, is no audio (R1.12).
  static let mostUnknownTime = MonotonicTime(milliseconds: 10_000)
  /// A list that is no feed is whole by then.
  static let mostListTime = MonotonicTime(milliseconds: 30_000)

  /// An intake of the answer that began with `head`; `followsGap` where audio was heard before it.
  init(kind: StationRequest.Kind, head: HttpHead, path: String?, followsGap: Bool) {
    demuxer = IcyDemuxer(metaint: head.icy.metaint ?? 0)
    contentType = head.contentType
    self.path = path
    framer.reset(followsGap: followsGap)
    doubtful = []
    switch kind {
    case .automatic: phase = .sniffing
    case .raw: phase = .audio
    case .playlist(let kind): phase = .playlist(kind)
    }
  }

  /// An intake of a known file from one of its bytes on; packets tell their place in the file.
  init(fileFrom byte: Int) {
    demuxer = IcyDemuxer(metaint: 0)
    (contentType, path) = (nil, nil)
    framer.reset(followsGap: byte > 0, at: byte)
    phase = .audio
  }

  /// Bytes of a tag that did not come yet and need not.
  var absentTagByteCount: Int { phase == .audio ? framer.absentTagByteCount : 0 }

  /// Goes on behind that tag.
  func passAbsentTag() {
    framer.passAbsentTag()
    barren = 0
  }

  /// How long nothing may be recognised of it while bytes come.
  var patience: MonotonicTime {
    if case .playlist(let kind) = phase, kind != .feed { return Self.mostListTime }
    return Self.mostUnknownTime
  }

  /// Takes bytes; packets and titles go to `taker`.
  func take(_ bytes: Span<UInt8>, _ taker: any StreamTaker) {
    switch phase {
    case .audio: takeAudio(bytes, taker)
    case .sniffing:
      gather(bytes)
      settle(isWhole: false, taker)
    case .playlist(.feed): readFeed(bytes)
    case .playlist: gather(bytes)
    case .refused, .unknown, .empty: break
    }
    if case .playlist = phase, gathered.count > Self.longestPlaylist { phase = .unknown }
  }

  /// No more bytes come: a last packet without a successor is whole after all.
  func finish(_ taker: any StreamTaker) {
    if phase == .sniffing { settle(isWhole: true, taker) }
    if phase == .playlist(.m3u), isSegmentList { phase = .refused(.hls) }
    guard phase == .audio else { return }
    framer.finish()
    drain(taker)
    if delivered == .zero { phase = byteCount == 0 ? .empty : .unknown }
  }

  /// Whether a list of the form M3U names the segments of an HLS stream (RFC 8216, 4.1), which are no files to be
  /// played one after the other, wherever in it that shows.
  private var isSegmentList: Bool {
    let mark = Array("#EXT-X-".utf8)
    return gathered.split { $0 == 0x0A || $0 == 0x0D }.contains { $0.starts(with: mark) }
  }

  private func readFeed(_ bytes: Span<UInt8>) {
    recognisedByteCount += bytes.count
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
    for index in bytes.indices where gathered.count <= Self.longestPlaylist { gathered.append(bytes[index]) }
  }

  /// Decides what the gathered head is, if it can be decided.
  private func settle(isWhole: Bool, _ taker: any StreamTaker) {
    let kind = ContentSniffer.sniff(gathered.span, isWhole: isWhole, contentType: contentType, path: path)
    switch kind {
    case nil: return
    case .playlist(let kind):
      phase = .playlist(kind)
      guard kind == .feed else { break }
      let head = gathered
      gathered = []
      readFeed(head.span)
    case .refused(let kind): phase = .refused(kind)
    case .empty: phase = .empty
    case .unknown: phase = .unknown
    case .audio:
      phase = .audio
      let head = gathered
      gathered = []
      takeAudio(head.span, taker)
    }
  }

  private func takeAudio(_ bytes: Span<UInt8>, _ taker: any StreamTaker) {
    demuxer.demux(bytes, audio: { feed($0, taker) }, metadata: { taker.take(metadata: $0) })
    if barren > (delivered == .zero ? Self.mostUnknown : Self.mostBarren) { phase = .unknown }
  }

  /// Looks for what else it may be in the first bytes that hold no packet.
  private func doubt(_ bytes: Span<UInt8>) {
    guard phase == .audio, var known = doubtful, known.count < ContentSniffer.longestHead else { return }
    for index in bytes.indices.prefix(ContentSniffer.longestHead - known.count) { known.append(bytes[index]) }
    doubtful = known
    if let kind = ContentSniffer.joined(known.span) { phase = .refused(kind) }
  }

  private func feed(_ bytes: Span<UInt8>, _ taker: any StreamTaker) {
    var place = 0
    byteCount += bytes.count
    let tagged = framer.taggedByteCount
    barren += bytes.count
    while place < bytes.count {
      place += framer.append(bytes.extracting(place..<bytes.count))
      drain(taker)
    }
    // A tag may be as long as it likes.
    let newlyTagged = framer.taggedByteCount - tagged
    barren = max(0, barren - newlyTagged)
    recognisedByteCount += newlyTagged
    if newlyTagged > 0, doubtful != nil { doubtful = [] }
    doubt(bytes)
  }

  private func drain(_ taker: any StreamTaker) {
    var isMore = true
    while isMore {
      isMore = framer.next { info, bytes in
        bytes.withUnsafeBytes { taker.take(info, $0) }
        delivered += info.duration
        recognisedByteCount += info.byteCount
        barren = 0
        doubtful = nil
      }
    }
  }
}
