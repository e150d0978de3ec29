import Blocks
import Framing
import Units

/// What the net thread tells the control thread, each about one programme.
public enum NetNotice: Equatable, Sendable {
  /// A connection is being made.
  case connecting(url: String)
  /// Audio is on its way; what the server said of it.
  case connected(StationFacts)
  /// A file that was gone on with comes again.
  case resumed
  /// A list was opened: `NetThread.list`.
  case listed
  /// The file that was to follow does so.
  case followed(StationFacts, at: FilePlace, token: Int)
  /// The file that came last is, by the count of its packets, so much further than was thought.
  case placed(by: StreamTime)
  /// A file's length is known better.
  case length(StreamTime)
  /// The server gives no parts of a file: all before the place that is wanted is read and passed.
  case readThrough(url: String, host: String?)
  /// What of an HLS station can be had now.
  case window(ProgrammeWindow)
  /// A title came; it belongs to the audio at `at`.
  case title(text: String, url: String?, at: StreamTime)
  /// A title came beside the stream; it belongs to the audio at `at`, which may still be to come.
  case externalTitle(ExternalTitle, at: StreamTime)
  /// The connection of what has played is gone; it is tried again.
  case lost
  /// The connection is gone, or silent, and tried again in `delay`.
  case reconnecting(attempt: Int, delay: Duration, reason: PlaybackFault)
  /// A new connection was joined to what was held.
  case stitched(Stitch)
  /// Something went wrong; whether the station is given up.
  case fault(PlaybackFault, isFinal: Bool)
  /// A file's last byte came.
  case complete
  /// A live station waits: for a second now the ring has been full of what was not heard. Told again every ten seconds
  /// while that lasts.
  case full
}

/// Where a file that follows on another lies in the programme.
public struct FilePlace: Equatable, Sendable {
  /// When its first moment sounds, or would where it is begun in its midst.
  public var base: StreamTime
  /// When its first packet does: what comes before is another file's.
  public var border: StreamTime
}

/// What a server told about its station.
public struct StationFacts: Equatable, Sendable {
  /// Where the redirects led, without secrets.
  public var url: String
  /// `icy-name`, or the playlist's title.
  public var name: String?
  /// `icy-genre`.
  public var genre: String?
  /// The station's home page, `icy-url`.
  public var homePage: String?
  /// `Content-Type`.
  public var contentType: String?
  /// `icy-br`, in bit/s.
  public var toldBitRate: Int?
  /// `icy-metaint`.
  public var metaint: Int?
  /// Whether it is taken for live.
  public var isLive: Bool
  /// Whether a server that tells nothing of a station gave its answer a length, but does not support ranges: what is
  /// taken for live may then be a file (R1.5).
  public var mayBeFile = false
  /// The length of a file in bytes.
  public var byteCount: Int?
  /// Whether a file can be had from any byte.
  public var isSeekable: Bool
  /// How long a file sounds, as far as its first packets tell.
  public var duration: StreamTime?
  /// Which of the list that was opened last it is.
  public var item: Int?
  /// What its sound lies in; nil for files, and where that is not known.
  public var container: StreamContainer?
  /// What an HLS station told; nil for all others.
  public var segments: SegmentFacts?

  /// What to call it: as it is named, a file without a name by that of the file, what has neither by its address.
  public var shownName: String {
    if let name { return name }
    guard !isLive, let address = try? WebAddress(url, allowsFile: true) else { return url }
    let file = DisplayText.clean(address.lastPathComponent)
    return file.isEmpty ? url : file
  }
}

extension NetNotice {
  private enum Code: UInt32 {
    case connecting, connected, title, reconnecting, stitched, fault, complete, full, length, readThrough, listed,
      followed, placed, externalTitle, resumed, lost, window
  }

  /// Sends the notice; its first part is the programme's number.
  func send(by outbox: inout EventOutbox, epoch: UInt32, scratch: UnsafeMutableRawBufferPointer) {
    var encoder = NoticeEncoder(scratch)
    encoder.append(Int(epoch))
    let code = encode(to: &encoder)
    outbox.send(kind: code.rawValue, encoder.payload, mayBeMissed: mayBeMissed)
  }

  /// Whether the radio goes on as it should without it: a station decides how many titles it sends, and that the ring
  /// is full is told again.
  private var mayBeMissed: Bool {
    switch self {
    case .title, .externalTitle, .full, .window: true
    default: false
    }
  }

  private func encode(to encoder: inout NoticeEncoder) -> Code {
    switch self {
    case .connecting(let url):
      encoder.append(url)
      return .connecting
    case .connected(let facts):
      facts.encode(to: &encoder)
      return .connected
    case .followed(let facts, let at, let token):
      encoder.append(at.base)
      encoder.append(at.border)
      encoder.append(token)
      facts.encode(to: &encoder)
      return .followed
    case .placed(let further):
      encoder.append(further)
      return .placed
    case .listed: return .listed
    case .resumed: return .resumed
    case .lost: return .lost
    case .readThrough(let url, let host):
      encoder.append(url)
      encoder.append(host)
      return .readThrough
    case .length(let length):
      encoder.append(length)
      return .length
    case .title(let text, let url, let at):
      encoder.append(at)
      encoder.append(text)
      encoder.append(url)
      return .title
    case .externalTitle(let title, let at):
      encoder.append(at)
      for text in [title.track, title.artist, title.url] { encoder.append(text) }
      return .externalTitle
    case .reconnecting(let attempt, let delay, let reason):
      encoder.append(attempt)
      encoder.append(Int(delay.nanoseconds))
      reason.encode(to: &encoder)
      return .reconnecting
    case .stitched(let stitch):
      encoder.append(stitch.overlap)
      encoder.append(stitch.lost)
      encoder.append(stitch.isExact ? 1 : 0)
      encoder.append(stitch.isEstimated ? 1 : 0)
      return .stitched
    case .fault(let fault, let isFinal):
      encoder.append(isFinal ? 1 : 0)
      fault.encode(to: &encoder)
      return .fault
    case .window(let window):
      for time in [window.oldest, window.live, window.end] { encoder.append(time) }
      encoder.append(Int(window.epoch ?? .min))
      return .window
    case .complete: return .complete
    case .full: return .full
    }
  }

  /// Reads a notice back; nil where it is none.
  public static func decode(kind: UInt32, _ payload: UnsafeRawBufferPointer) -> (epoch: UInt32, notice: NetNotice)? {
    var decoder = NoticeDecoder(payload)
    let epoch = UInt32(truncatingIfNeeded: decoder.int())
    guard let code = Code(rawValue: kind) else { return nil }
    let notice: NetNotice
    switch code {
    case .connecting: notice = .connecting(url: decoder.text() ?? "")
    case .connected: notice = .connected(StationFacts(from: &decoder))
    case .followed:
      let at = FilePlace(base: decoder.time(), border: decoder.time())
      let token = decoder.int()
      notice = .followed(StationFacts(from: &decoder), at: at, token: token)
    case .placed: notice = .placed(by: decoder.time())
    case .listed: notice = .listed
    case .resumed: notice = .resumed
    case .lost: notice = .lost
    case .readThrough: notice = .readThrough(url: decoder.text() ?? "", host: decoder.text())
    case .length: notice = .length(decoder.time())
    case .title:
      let at = decoder.time()
      notice = .title(text: decoder.text() ?? "", url: decoder.text(), at: at)
    case .externalTitle:
      let at = decoder.time()
      let track = decoder.text() ?? ""
      notice = .externalTitle(ExternalTitle(artist: decoder.text(), track: track, url: decoder.text()), at: at)
    case .reconnecting:
      let attempt = decoder.int()
      let delay = Duration(nanoseconds: Int64(decoder.int()))
      notice = .reconnecting(attempt: attempt, delay: delay, reason: PlaybackFault(from: &decoder))
    case .stitched:
      let overlap = decoder.time()
      let lost = decoder.time()
      let isExact = decoder.int() == 1
      notice = .stitched(
        Stitch(overlap: overlap, lost: lost, isExact: isExact, isEstimated: decoder.int() == 1))
    case .fault:
      let isFinal = decoder.int() == 1
      notice = .fault(PlaybackFault(from: &decoder), isFinal: isFinal)
    case .window:
      let oldest = decoder.time()
      let live = decoder.time()
      let end = decoder.time()
      let epoch = decoder.int()
      notice = .window(
        ProgrammeWindow(oldest: oldest, live: live, end: end, epoch: epoch == .min ? nil : Int64(epoch)))
    case .complete: notice = .complete
    case .full: notice = .full
    }
    return (epoch, notice)
  }
}

extension StationFacts {
  fileprivate func encode(to encoder: inout NoticeEncoder) {
    encoder.append(isLive ? 1 : 0)
    encoder.append(isSeekable ? 1 : 0)
    encoder.append(mayBeFile ? 1 : 0)
    let ticks = duration.map { Int($0.ticks) }
    for number in [toldBitRate, metaint, byteCount, ticks, item] { encoder.append(number ?? -1) }
    encoder.append(container?.rawValue ?? -1)
    for text in [url, name, genre, homePage, contentType] { encoder.append(text) }
    segments.encode(to: &encoder)
  }

  fileprivate init(from decoder: inout NoticeDecoder) {
    func known(_ number: Int) -> Int? { number < 0 ? nil : number }
    let isLive = decoder.int() == 1
    let isSeekable = decoder.int() == 1
    let mayBeFile = decoder.int() == 1
    let toldBitRate = known(decoder.int())
    let metaint = known(decoder.int())
    let byteCount = known(decoder.int())
    let duration = known(decoder.int()).map { StreamTime(ticks: Int64($0)) }
    let item = known(decoder.int())
    let container = known(decoder.int()).flatMap { StreamContainer(rawValue: $0) }
    self.init(
      url: decoder.text() ?? "", name: decoder.text(), genre: decoder.text(), homePage: decoder.text(),
      contentType: decoder.text(), toldBitRate: toldBitRate, metaint: metaint, isLive: isLive, mayBeFile: mayBeFile,
      byteCount: byteCount, isSeekable: isSeekable, duration: duration, item: item,
      container: container)
    segments = SegmentFacts(from: &decoder)
  }
}
