import Listings
import System
import Units

/// One request for a part of an HLS station: its list, or bytes of its sound. The net thread's.
final class SegmentFetch {
  /// What is asked for.
  enum Kind: Equatable {
    case list
    /// What the segments have in common (EXT-X-MAP).
    case map
    case segment
    /// What they are encrypted by.
    case key
  }

  let kind: Kind
  /// When it was asked for.
  let began: MonotonicTime
  /// When bytes came last, or else when it was asked for.
  private(set) var lastData: MonotonicTime
  /// Nil before the engine has taken it up.
  private var transfer: Transfer?
  /// Where redirects led; nil before the head of the answer.
  private(set) var source: WebAddress?
  /// The answer's status where that is 400 or more.
  private(set) var refusal: Int?
  /// Whether the answer says that what is known already is there still.
  private(set) var isUnchanged = false
  /// What the server calls what it sent (ETag, Last-Modified).
  private(set) var (tag, date): (String?, String?)
  /// The text of a list, and how many bytes more it may have: of 8,192 segments each has 2,000.
  private var reader: HlsPlaylistReader?
  private var listRoom = 16 << 20
  /// The bytes of a key; one more than it has where there are more.
  private(set) var key: [UInt8] = []
  private weak var taker: (any SegmentTaker)?
  private let clock: Clock
  /// So many bytes before what is wanted are read and passed, where a server knows no parts.
  private static let mostSkipped: Int64 = 16 << 20
  /// Bytes that stand before what is wanted, in an answer that brings more.
  private var skip: Int64 = 0
  /// Bytes of what is wanted that still come; nil for all.
  private var left: Int64?

  /// What takes that.
  init(_ kind: Kind, _ range: SegmentRange?, for taker: any SegmentTaker, by engine: HttpEngine) {
    (self.kind, self.taker, clock) = (kind, taker, engine.clock)
    began = engine.clock.now()
    lastData = began
    left = range?.length
    skip = range?.offset ?? 0
    if kind == .list { reader = HlsPlaylistReader() }
  }

  /// Asks for it.
  func start(_ http: HttpRequest, by engine: HttpEngine) throws(NetworkError) {
    transfer = try engine.start(http, handler: self)
  }

  /// How many requests it took: one, and one for each redirect.
  private(set) var requestCount = 1

  /// Whether its server has to wait.
  var isPaused: Bool { transfer?.isPaused == true }

  /// Whether nothing has come for so long, though its server does not have to wait.
  func isSilent(for most: Duration, at now: MonotonicTime) -> Bool { !isPaused && now - lastData > most }

  /// Since when its server has had to wait, and how long it had to before that.
  private var paused: MonotonicTime?
  private var pauses = Duration.zero

  /// How long it has taken, without the time that its server had to wait.
  func time(at now: MonotonicTime) -> Duration { (paused ?? now) - began - pauses }

  /// Lets the server go on that had to wait.
  func resume(at now: MonotonicTime) {
    if let paused { pauses = pauses + (now - paused) }
    (lastData, paused) = (now, nil)
    transfer?.resume()
  }

  /// Calls it off; nothing more is heard of it.
  func cancel() {
    taker = nil
    transfer?.cancel()
  }

  /// The list that came whole; nil where it is none.
  func list() -> HlsPlaylist? {
    guard let reader = reader.take() else { return nil }
    return try? reader.finish()
  }
}

/// What takes the parts of an HLS station.
protocol SegmentTaker: AnyObject {
  /// Whether the next bytes are taken, or come again later.
  func admits(_ fetch: SegmentFetch) -> Bool
  /// Bytes of the sound came.
  func received(_ fetch: SegmentFetch, _ bytes: Span<UInt8>)
  /// The request is over.
  func ended(_ fetch: SegmentFetch, _ end: TransferEnd)
}

extension SegmentFetch: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    lastData = clock.now()
    source = try? WebAddress(head.effectiveURL, allowsFile: true)
    (isUnchanged, tag, date) = (head.status == 304, head.etag, head.lastModified)
    guard head.status < 400 else {
      refusal = head.status
      return .stop
    }
    if head.isPartial, let start = head.contentRangeStart {
      skip = max(0, skip - start)
    } else if skip > Self.mostSkipped {
      refusal = 416
      return .stop
    }
    return .go
  }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    lastData = clock.now()
    if reader != nil {
      takeList(bytes)
      return .taken
    }
    if kind == .key {
      takeKey(bytes)
      return .taken
    }
    guard let taker else { return .taken }
    guard taker.admits(self) else {
      paused = paused ?? clock.now()
      return .pause
    }
    let passed = Int(min(skip, Int64(bytes.count)))
    skip -= Int64(passed)
    let count = Int(min(left ?? .max, Int64(bytes.count - passed)))
    left = left.map { $0 - Int64(count) }
    if count > 0 { taker.received(self, bytes.extracting(passed..<passed + count)) }
    if left == 0, passed + count < bytes.count {
      // Its server knows no parts: what follows is not wanted.
      stop()
    }
    return .taken
  }

  private func takeList(_ bytes: Span<UInt8>) {
    listRoom -= bytes.count
    if listRoom >= 0 {
      reader?.append(bytes)
    } else {
      _ = reader.take()
      stop()
    }
  }

  private func takeKey(_ bytes: Span<UInt8>) {
    let room = SegmentDecryptor.keyByteCount + 1 - key.count
    for index in 0..<min(room, bytes.count) { key.append(bytes[index]) }
    // It is no key, and may have no end.
    if bytes.count >= room { stop() }
  }

  /// Nothing more of the answer is wanted.
  private func stop() {
    let taker = taker
    requestCount = 1 + (transfer?.redirectCount ?? 0)
    cancel()
    taker?.ended(self, .complete)
  }

  func transferDidEnd(_ end: TransferEnd) {
    requestCount = 1 + (transfer?.redirectCount ?? 0)
    transfer = nil
    taker?.ended(self, end)
  }
}
