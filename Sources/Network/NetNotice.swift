import Blocks
import Units

/// What the net thread tells the control thread, each about one programme.
public enum NetNotice: Equatable, Sendable {
  /// A connection is being made.
  case connecting(url: String)
  /// Audio is on its way; what the server said of it.
  case connected(StationFacts)
  /// A title came; it belongs to the audio at `at`.
  case title(text: String, url: String?, at: StreamTime)
  /// The connection is gone, and tried again in `delay`.
  case reconnecting(attempt: Int, delay: MonotonicTime, reason: String)
  /// A new connection was joined to what was held.
  case stitched(Stitch)
  /// Something went wrong; whether the station is given up.
  case trouble(Trouble, isFinal: Bool)
  /// A file's last byte came.
  case complete
  /// A live station waits: for a second now the ring has been full of what was not heard. Told again every ten seconds
  /// while that lasts.
  case full
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
  /// The length of a file in bytes.
  public var byteCount: Int?
  /// Whether a file can be had from any byte.
  public var isSeekable: Bool
}

/// Something that went wrong, as R5 sorts it.
public struct Trouble: Equatable, Sendable, Error {
  /// The event that it becomes.
  public enum Kind: Int, Sendable {
    case timeoutExceeded
    case noNetwork
    case urlNotFound
    case httpError
    case missingContent
    case badContent
  }

  /// The event that it becomes.
  public var kind: Kind
  /// The address that it is about, without secrets.
  public var url: String
  /// A sentence for people.
  public var message: String
  /// The HTTP status, where there was one; else 0.
  public var status: Int

  /// Trouble with `url`.
  public init(_ kind: Kind, url: String, message: String, status: Int = 0) {
    self.kind = kind
    self.url = url
    self.message = message
    self.status = status
  }
}

extension NetNotice {
  private enum Code: UInt32 {
    case connecting, connected, title, reconnecting, stitched, trouble, complete, full
  }

  /// Puts the notice into a ring; its first part is the programme's number.
  func append(to ring: UnsafePointer<EventRing>, epoch: UInt32, scratch: UnsafeMutableRawBufferPointer) {
    var encoder = NoticeEncoder(scratch)
    encoder.append(Int(epoch))
    let code = encode(to: &encoder)
    ring.pointee.append(kind: code.rawValue, encoder.payload)
  }

  private func encode(to encoder: inout NoticeEncoder) -> Code {
    switch self {
    case .connecting(let url):
      encoder.append(url)
      return .connecting
    case .connected(let facts):
      encoder.append(facts.isLive ? 1 : 0)
      encoder.append(facts.isSeekable ? 1 : 0)
      for number in [facts.toldBitRate, facts.metaint, facts.byteCount] { encoder.append(number ?? -1) }
      for text in [facts.url, facts.name, facts.genre, facts.homePage, facts.contentType] { encoder.append(text) }
      return .connected
    case .title(let text, let url, let at):
      encoder.append(at)
      encoder.append(text)
      encoder.append(url)
      return .title
    case .reconnecting(let attempt, let delay, let reason):
      encoder.append(attempt)
      encoder.append(Int(delay.nanoseconds))
      encoder.append(reason)
      return .reconnecting
    case .stitched(let stitch):
      encoder.append(stitch.overlap)
      encoder.append(stitch.lost)
      encoder.append(stitch.isExact ? 1 : 0)
      encoder.append(stitch.isEstimated ? 1 : 0)
      return .stitched
    case .trouble(let trouble, let isFinal):
      encoder.append(trouble.kind.rawValue)
      encoder.append(isFinal ? 1 : 0)
      encoder.append(trouble.status)
      encoder.append(trouble.url)
      encoder.append(trouble.message)
      return .trouble
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
    case .title:
      let at = decoder.time()
      notice = .title(text: decoder.text() ?? "", url: decoder.text(), at: at)
    case .reconnecting:
      let attempt = decoder.int()
      let delay = MonotonicTime(nanoseconds: Int64(decoder.int()))
      notice = .reconnecting(attempt: attempt, delay: delay, reason: decoder.text() ?? "")
    case .stitched:
      let overlap = decoder.time()
      let lost = decoder.time()
      let isExact = decoder.int() == 1
      notice = .stitched(
        Stitch(overlap: overlap, lost: lost, isExact: isExact, isEstimated: decoder.int() == 1))
    case .trouble:
      let kind = Trouble.Kind(rawValue: decoder.int()) ?? .badContent
      let isFinal = decoder.int() == 1
      let status = decoder.int()
      let trouble = Trouble(kind, url: decoder.text() ?? "", message: decoder.text() ?? "", status: status)
      notice = .trouble(trouble, isFinal: isFinal)
    case .complete: notice = .complete
    case .full: notice = .full
    }
    return (epoch, notice)
  }
}

extension StationFacts {
  fileprivate init(from decoder: inout NoticeDecoder) {
    func known(_ number: Int) -> Int? { number < 0 ? nil : number }
    let isLive = decoder.int() == 1
    let isSeekable = decoder.int() == 1
    let toldBitRate = known(decoder.int())
    let metaint = known(decoder.int())
    let byteCount = known(decoder.int())
    self.init(
      url: decoder.text() ?? "", name: decoder.text(), genre: decoder.text(), homePage: decoder.text(),
      contentType: decoder.text(), toldBitRate: toldBitRate, metaint: metaint, isLive: isLive, byteCount: byteCount,
      isSeekable: isSeekable)
  }
}
