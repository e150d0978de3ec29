import Blocks
import Framing
import Http
import Units

/// A message from the net thread to the control thread about one programme.
public enum NetNotice: Equatable, Sendable {
  case connecting(url: String)
  /// Audio arrives; with the server's facts.
  case connected(StationFacts)
  /// An interrupted file delivers audio again.
  case resumed
  /// A list was opened; see `NetThread.list`.
  case listed
  /// The file set by `NetThread.follow` starts at this place.
  case followed(StationFacts, at: FilePlace, token: Int)
  /// Counted packets show that playback is further into the last file than assumed, by this duration.
  case placed(by: StreamTime)
  case length(StreamTime)
  /// The server does not support ranges: the file is read from its start up to the requested position.
  case readThrough(url: String, host: String?)
  /// The part of an HLS station that is available now.
  case window(ProgrammeWindow)
  case title(text: String, url: String?, at: StreamTime)
  /// A title from an external feed, for the audio at `at`, which may not have arrived yet.
  case externalTitle(ExternalTitle, at: StreamTime)
  /// The connection of a programme that has played is lost; retries follow.
  case lost
  /// The next try follows after `delay`, since the connection is lost or silent.
  case reconnecting(attempt: Int, delay: Duration, reason: PlaybackFault)
  case stitched(Stitch)
  /// `isFinal`: true if the station is given up.
  case fault(PlaybackFault, isFinal: Bool)
  /// The last byte of a file arrived.
  case complete
  /// A live station is paused, since the ring has been full of unplayed audio for 1 s. Repeated every 10 s.
  case full
}

/// The place of a following file within the programme.
public struct FilePlace: Equatable, Sendable {
  /// Programme time of the file's first moment, even if playback starts in the middle of the file.
  public var base: StreamTime
  /// Programme time of the file's first packet. Earlier packets belong to another file.
  public var border: StreamTime
}

/// Facts about a station or a file, from the server's response.
public struct StationFacts: Equatable, Sendable {
  /// The address after redirects, without secrets.
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
  /// True if treated as a live station.
  public var isLive: Bool
  /// True if a live station may be a file (R1.5): its length is announced, but neither ICY headers nor ranges are.
  public var mayBeFile = false
  /// Size of a file in bytes.
  public var byteCount: Int?
  /// True if a file can be requested from any byte.
  public var isSeekable: Bool
  /// Duration of a file, at first estimated from its first packets.
  public var duration: StreamTime?
  /// Index in the list that was opened last.
  public var item: Int?
  /// Container of the audio; nil if unknown.
  public var container: StreamContainer?
  /// Facts of an HLS station; nil for other sources.
  public var segments: SegmentFacts?

  /// The name to display: `name`, else the file name of a file, else the address.
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

  func send(by outbox: inout EventOutbox, epoch: UInt32, scratch: UnsafeMutableRawBufferPointer) {
    var encoder = NoticeEncoder(scratch)
    encoder.append(Int(epoch))
    let code = encode(to: &encoder)
    outbox.send(kind: code.rawValue, encoder.payload, mayBeMissed: mayBeMissed)
  }

  /// True if the radio works without the notice. A station decides how many titles it sends, and `full` is repeated.
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

  /// Decodes a notice; nil if `kind` is unknown.
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
