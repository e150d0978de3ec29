/// Reads events from an XML feed, such as AudioVault's (R6.3) and Live365's (R6.4), as it arrives.
///
/// Repairs common errors (`MarkupReader`) and ignores case. Never expands entities or fetches files. Events before an
/// error count, except in a feed above `byteLimit`. One thread; linear time.
public struct NowPlayingFeedReader: ~Copyable {
  /// Maximum length of a feed, in bytes.
  public static let byteLimit = 1 << 20

  private let events = NowPlayingEventCollector()
  private var markup: MarkupReader

  /// Creates a reader for one feed. `encoding`: the encoding of a feed without a declaration; nil for UTF-8.
  public init(encoding: String? = nil) {
    markup = MarkupReader(to: events, byteLimit: Self.byteLimit, encoding: encoding)
  }

  /// True if the feed exceeds `byteLimit`.
  public var isTooLarge: Bool { markup.fault == .tooLarge }

  /// Processes the next bytes, split anywhere.
  public mutating func append(_ bytes: Span<UInt8>) { markup.append(bytes) }

  /// Ends the feed and returns its first 64 events.
  ///
  /// - Throws: `ListingError`: `.tooLarge` above `byteLimit`, `.malformed` if an error precedes all data, `.empty`
  ///   without data.
  public consuming func finish() throws(ListingError) -> NowPlayingFeed {
    let fault = markup.finish()
    if fault == .tooLarge { throw .tooLarge }
    var feed = NowPlayingFeed()
    feed.events = Array(events.events.prefix(NowPlayingEventCollector.eventLimit))
    feed.refresh = events.refresh
    if feed.events.isEmpty, feed.refresh == nil { throw fault ?? .empty }
    return feed
  }
}
