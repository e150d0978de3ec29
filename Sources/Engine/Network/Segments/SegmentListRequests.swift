import Http
import Listings
import System
import Units

/// Requests an HLS station's list, and an extra copy without caches if the list stays unchanged. Net thread only.
final class SegmentListRequests {
  private let engine: HttpEngine
  private let search: StationSearch
  private var regular: SegmentFetch?
  /// Extra request on its own connection, with `Cache-Control: no-cache`.
  private var uncached: SegmentFetch?
  /// ETag and Last-Modified of the current list.
  private var known: (tag: String?, date: String?)
  /// The last request after redirects, and the end of its lifetime. Used instead of the station's address.
  private var redirect: (request: HttpRequest, end: MonotonicTime)?
  /// True if the regular request uses `redirect`.
  private var usesRedirect = false
  /// Value of `changed` for which the extra request was sent: at most one for each list.
  private var lastDoubted = MonotonicTime.zero

  /// Maximum duration of a list request.
  private static let patience = Duration(milliseconds: 15_000)

  /// Number of requests for the last list, including redirects. The next list is expected to need as many.
  private(set) var cost: Int

  init(_ search: StationSearch, _ engine: HttpEngine, cost: Int) {
    (self.search, self.engine, self.cost) = (search, engine, cost)
  }

  enum Outcome {
    case list(SegmentList, from: WebAddress?)
    case unchanged
    case failed(status: Int?)
    /// The target of earlier redirects failed: the station's address must be requested again.
    case expired
    /// The extra request failed, or returned the current list.
    case nothing
  }

  var isRequesting: Bool { regular != nil }

  /// True during a request for which redirects are expected.
  var isRedirecting: Bool { isRequesting && cost > 1 }

  var active: SegmentFetch? { regular }

  /// Returns the time when a request becomes late: after `patience` without data, or 15 s after its start.
  func due(_ patience: Duration) -> MonotonicTime {
    [regular, uncached].compactMap { $0 }.map { min($0.lastData + patience, $0.began + Self.patience) }.min() ?? .never
  }

  // MARK: Commands

  /// Requests the list. `age`: maximum age of the connection.
  func requestList(_ age: Duration, for taker: any SegmentReceiver) throws(NetworkError) {
    if let end = redirect?.end, engine.clock.now() >= end { redirect = nil }
    usesRedirect = redirect != nil
    if usesRedirect { cost = 1 }
    regular = try start(redirect?.request, for: taker) {
      ($0.knownTag, $0.knownDate) = known
      $0.sharedConnectionAge = age
    }
  }

  /// Sends the extra request, once for the list that changed at `changed`. Returns true if sent.
  func requestUncached(_ changed: MonotonicTime, for taker: any SegmentReceiver) -> Bool {
    guard lastDoubted != changed else { return false }
    lastDoubted = changed
    uncached = try? start(nil, for: taker) { $0.radioHeaders.append("Cache-Control: no-cache") }
    return uncached != nil
  }

  func hasRequestedUncached(_ changed: MonotonicTime) -> Bool { lastDoubted == changed }

  /// Cancels late requests. Returns true if the regular request was cancelled.
  func cancelLate(_ patience: Duration, at now: MonotonicTime) -> Bool {
    if let late = uncached, now - late.lastData > patience || now - late.began > Self.patience {
      late.cancel()
      uncached = nil
    }
    guard let late = regular, now - late.began > Self.patience else { return false }
    late.cancel()
    (regular, redirect) = (nil, nil)
    return true
  }

  func cancel() {
    regular?.cancel()
    uncached?.cancel()
    (regular, uncached, redirect) = (nil, nil, nil)
    known = (nil, nil)
  }

  /// `known`: request after redirects; nil for the original address. Each redirect then removes the secrets that are
  /// not meant for its target.
  private func start(
    _ known: HttpRequest?, for taker: any SegmentReceiver, _ adapt: (inout HttpRequest) -> Void
  ) throws(NetworkError) -> SegmentFetch? {
    guard var http = known ?? search.address.map({ search.plainRequest(for: $0) }) else { return nil }
    http.acceptsGzip = true
    (http.knownTag, http.knownDate, http.radioHeaders) = (nil, nil, [])
    adapt(&http)
    let fetch = SegmentFetch(.list, nil, for: taker, by: engine)
    try fetch.start(http, by: engine)
    return fetch
  }

  // MARK: Responses

  func countExtraRequests(_ fetch: SegmentFetch) -> Int {
    defer { cost = fetch.requestCount }
    return max(0, fetch.requestCount - cost)
  }

  func finish(_ fetch: SegmentFetch, _ end: TransferEnd, news: (SegmentList) -> Bool) -> Outcome {
    let isBeside = fetch === uncached
    if isBeside { uncached = nil } else { regular = nil }
    if fetch.refusal == nil, end == .complete { recordRedirect(of: fetch, isBeside: isBeside) }
    if fetch.isUnchanged, !isBeside, known.tag != nil || known.date != nil { return .unchanged }
    guard fetch.refusal == nil, end == .complete, case .media(let list)? = fetch.finishList() else {
      guard !isBeside, usesRedirect else { return isBeside ? .nothing : .failed(status: fetch.refusal) }
      redirect = nil
      return .expired
    }
    if isBeside {
      guard news(list) else { return .nothing }
      // The regular response may come from a stalled cache.
      regular?.cancel()
      regular = nil
    }
    known = (fetch.tag, fetch.date)
    return .list(list, from: fetch.source)
  }

  private func recordRedirect(of fetch: SegmentFetch, isBeside: Bool) {
    guard let followed = fetch.followed else {
      // Without redirects now, the station's address no longer needs the earlier ones.
      if isBeside || !usesRedirect { redirect = nil }
      return
    }
    let end = fetch.began + followed.lifetime
    redirect = followed.lifetime > .zero ? (followed.request, end) : nil
  }
}
