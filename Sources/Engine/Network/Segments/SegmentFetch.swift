import Http
import Listings
import System
import Units

/// One request of an HLS station: for its list, a key or audio. Net thread only.
final class SegmentFetch {
  enum Kind: Equatable {
    case list
    /// The common header of the segments (EXT-X-MAP).
    case map
    case segment
    case key
  }

  let kind: Kind
  let began: MonotonicTime
  /// Time of the last bytes; at first the time of the request.
  private(set) var lastData: MonotonicTime
  private var transfer: Transfer?
  /// Address after redirects; nil before the response head.
  private(set) var source: WebAddress?
  /// HTTP status if 400 or more; also 416 if more than `maxSkipped` bytes precede the range.
  private(set) var refusal: Int?
  private(set) var isUnchanged = false
  /// The redirects of the request; nil before the response head, and without redirects.
  private(set) var followed: FollowedRedirect?
  /// Received bytes of a list, before unpacking.
  private(set) var listByteCount: Int64 = 0
  /// ETag and Last-Modified of the response.
  private(set) var (tag, date): (String?, String?)
  /// Parser of a list. `listRoom` is the rest of its maximum size: 8,192 segments of 2,000 bytes each.
  private var reader: HlsPlaylistReader?
  private var listRoom = 16 << 20
  /// Bytes of the key; at most one byte more than a valid key has.
  private(set) var key: [UInt8] = []
  private weak var taker: (any SegmentReceiver)?
  private let clock: Clock
  /// Maximum number of bytes to read and skip before the range, if the server does not support ranges.
  private static let maxSkipped: Int64 = 16 << 20
  private var skip: Int64 = 0
  /// Bytes of the range that are still to come; nil for all.
  private var left: Int64?

  init(_ kind: Kind, _ range: SegmentRange?, for taker: any SegmentReceiver, by engine: HttpEngine) {
    (self.kind, self.taker, clock) = (kind, taker, engine.clock)
    began = engine.clock.now()
    lastData = began
    left = range?.length
    skip = range?.offset ?? 0
    if kind == .list { reader = HlsPlaylistReader() }
  }

  func start(_ http: HttpRequest, by engine: HttpEngine) throws(NetworkError) {
    transfer = try engine.start(http, handler: self)
  }

  private(set) var requestCount = 1

  var isPaused: Bool { transfer?.isPaused == true }

  func isSilent(for most: Duration, at now: MonotonicTime) -> Bool { !isPaused && now - lastData > most }

  /// Start of the current pause; `pauses` is the total of the earlier pauses.
  private var paused: MonotonicTime?
  private var pauses = Duration.zero

  /// Time since the request, without pauses of the server.
  func time(at now: MonotonicTime) -> Duration { (paused ?? now) - began - pauses }

  func resume(at now: MonotonicTime) {
    if let paused { pauses = pauses + (now - paused) }
    (lastData, paused) = (now, nil)
    transfer?.resume()
  }

  func cancel() {
    taker = nil
    transfer?.cancel()
  }

  /// Returns the received list, once; nil if unreadable.
  func finishList() -> HlsPlaylist? {
    guard let reader = reader.take() else { return nil }
    return try? reader.finish()
  }
}

protocol SegmentReceiver: AnyObject {
  /// Returns false to pause the server; the same bytes are delivered again later.
  func admits(_ fetch: SegmentFetch) -> Bool
  func received(_ fetch: SegmentFetch, _ bytes: Span<UInt8>)
  func ended(_ fetch: SegmentFetch, _ end: TransferEnd)
}

extension SegmentFetch: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    lastData = clock.now()
    source = try? WebAddress(head.effectiveURL, allowsFile: true)
    (isUnchanged, tag, date) = (head.status == 304, head.etag, head.lastModified)
    followed = transfer?.followed
    guard head.status < 400 else {
      refusal = head.status
      return .stop
    }
    if head.isPartial, let start = head.contentRangeStart {
      skip = max(0, skip - start)
    } else if skip > Self.maxSkipped {
      refusal = 416
      return .stop
    }
    return .go
  }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    lastData = clock.now()
    if reader != nil {
      appendList(bytes)
      return .taken
    }
    if kind == .key {
      appendKey(bytes)
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
      // The server does not support ranges: the rest is not needed.
      stop()
    }
    return .taken
  }

  private func appendList(_ bytes: Span<UInt8>) {
    listRoom -= bytes.count
    listByteCount = transfer?.receivedByteCount ?? 0
    if listRoom >= 0 {
      reader?.append(bytes)
    } else {
      _ = reader.take()
      stop()
    }
  }

  private func appendKey(_ bytes: Span<UInt8>) {
    let room = SegmentDecryptor.keyByteCount + 1 - key.count
    for index in 0..<min(room, bytes.count) { key.append(bytes[index]) }
    // A longer body is not a key and may be endless.
    if bytes.count >= room { stop() }
  }

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
