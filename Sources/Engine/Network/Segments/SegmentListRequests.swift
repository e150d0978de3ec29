import Listings
import System
import Units

/// The requests for an HLS station's list: the one that is due, and one beside it where the list stays as it is. The
/// net thread's.
final class SegmentListRequests {
  private let engine: HttpEngine
  private let search: StationSearch
  /// The one that is due.
  private var first: SegmentFetch?
  /// One by a connection of its own, which no cache answers.
  private var beside: SegmentFetch?
  /// The list that is there, as its server calls it.
  private var known: (tag: String?, date: String?)
  /// When the list came that `beside` was asked for; it is asked for once.
  private var doubted = MonotonicTime.zero

  /// A list that takes so long is asked for again.
  private static let patience = Duration(milliseconds: 15_000)

  /// How many requests the list took last, with its redirects: the next one takes as many before it is there.
  private(set) var cost: Int

  /// No requests; `search` knows where the list is, which took so many requests.
  init(_ search: StationSearch, _ engine: HttpEngine, cost: Int) {
    (self.search, self.engine, self.cost) = (search, engine, cost)
  }

  /// What became of a request.
  enum Answer {
    /// The list, from where redirects led.
    case list(SegmentList, from: WebAddress?)
    /// It is as it was.
    case unchanged
    /// It cannot be had now.
    case failed(status: Int?)
    /// The other request decides.
    case nothing
  }

  /// Whether the list is on its way that is due.
  var isAsking: Bool { first != nil }

  /// The request that has been silent for longest.
  var active: SegmentFetch? { first }

  /// When a request is late, where one that is silent for `patience` is.
  func due(_ patience: Duration) -> MonotonicTime {
    [first, beside].compactMap { $0 }.map { min($0.lastData + patience, $0.began + Self.patience) }.min() ?? .never
  }

  // MARK: Orders

  /// Asks for the list, by a connection that is at most so old.
  func ask(_ age: Duration, for taker: any SegmentTaker) throws(NetworkError) {
    first = try start(for: taker) {
      ($0.knownTag, $0.knownDate) = known
      $0.sharedConnectionAge = age
    }
  }

  /// The list that came at `changed` is no more what it should be: asks for it beside what is asked already, once.
  /// Whether it did so now.
  func doubt(_ changed: MonotonicTime, for taker: any SegmentTaker) -> Bool {
    guard doubted != changed else { return false }
    doubted = changed
    beside = try? start(for: taker) { $0.radioHeaders.append("Cache-Control: no-cache") }
    return beside != nil
  }

  /// Whether it was asked for beside since the list came at `changed`.
  func hasDoubted(_ changed: MonotonicTime) -> Bool { doubted == changed }

  /// Gives up what takes too long. Whether the list that is due was among that.
  func giveUpLate(_ patience: Duration, at now: MonotonicTime) -> Bool {
    if let late = beside, now - late.lastData > patience || now - late.began > Self.patience {
      late.cancel()
      beside = nil
    }
    guard let late = first, now - late.began > Self.patience else { return false }
    late.cancel()
    first = nil
    return true
  }

  /// Calls off all.
  func cancel() {
    first?.cancel()
    beside?.cancel()
    (first, beside, known) = (nil, nil, (nil, nil))
  }

  /// The list is asked for where it was first: what its redirects lead to gets nothing that is not meant for it.
  private func start(
    for taker: any SegmentTaker, _ adapt: (inout HttpRequest) -> Void
  ) throws(NetworkError) -> SegmentFetch? {
    guard let address = search.address else { return nil }
    var http = search.plainRequest(for: address)
    http.acceptsGzip = true
    adapt(&http)
    let fetch = SegmentFetch(.list, nil, for: taker, by: engine)
    try fetch.start(http, by: engine)
    return fetch
  }

  // MARK: Answers

  /// How many requests more one took than was to be thought.
  func count(_ fetch: SegmentFetch) -> Int {
    defer { cost = fetch.requestCount }
    return max(0, fetch.requestCount - cost)
  }

  /// A request is over. `news` says whether a list is another one than that which is there.
  func ended(_ fetch: SegmentFetch, _ end: TransferEnd, news: (SegmentList) -> Bool) -> Answer {
    let isBeside = fetch === beside
    if isBeside { beside = nil } else { first = nil }
    if fetch.isUnchanged, !isBeside, known.tag != nil || known.date != nil { return .unchanged }
    guard fetch.refusal == nil, end == .complete, case .media(let list)? = fetch.list() else {
      return isBeside ? .nothing : .failed(status: fetch.refusal)
    }
    if isBeside {
      guard news(list) else { return .nothing }
      // What is still asked for may be what stands still.
      first?.cancel()
      first = nil
    }
    known = (fetch.tag, fetch.date)
    return .list(list, from: fetch.source)
  }
}
