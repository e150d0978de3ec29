/// Reads what is on the air out of XML beside a stream while it comes: AudioVault's and its like (R6.3), Live365's
/// (R6.4).
///
/// Such feeds are small and seldom tidy. Common faults are mended (`MarkupReader`), names count whatever their case,
/// nothing is expanded or fetched, and what comes before a fault counts. One thread; linear.
public struct NowPlayingFeedReader: ~Copyable {
  /// The longest feed, in bytes.
  public static let byteLimit = 1 << 20

  private let events = NowPlayingEventCollector()
  private var markup: MarkupReader

  /// A reader for one feed; `isUtf8` where that is known, whatever its head says.
  public init(isUtf8: Bool = false) {
    markup = MarkupReader(to: events, byteLimit: Self.byteLimit, isUtf8: isUtf8)
  }

  /// Whether it is longer than a feed may be.
  public var isTooLarge: Bool { markup.fault == .tooLarge }

  /// Reads on; pieces may be cut anywhere.
  public mutating func append(_ bytes: Span<UInt8>) { markup.append(bytes) }

  /// What the feed tells, of 64 events the first; nothing more comes.
  ///
  /// - Throws: `ListingError`: `.tooLarge` where it is longer than a feed may be, `.malformed` where a fault comes
  ///   before all that it tells, `.empty` where it tells nothing.
  public consuming func finish() throws(ListingError) -> NowPlayingFeed {
    let fault = markup.finish()
    if fault == .tooLarge { throw .tooLarge }
    var feed = NowPlayingFeed()
    feed.events = Array(events.events.prefix(NowPlayingEventCollector.eventLimit))
    feed.refresh = events.refresh
    if feed.events.isEmpty, feed.refresh == nil { throw fault ?? .empty }
    return feed
  }

  /// The encoding that an XML declaration at the head of a document names, in small letters; nil where there is none.
  public static func declaredEncoding(_ head: Span<UInt8>) -> String? {
    let bytes = (0..<min(head.count, 512)).map { head[$0] }
    let ink = bytes.drop { $0 <= 0x20 }
    guard ink.starts(with: "<?xml".utf8), let end = ink.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let words = String(decoding: ink[..<end].map(\.asciiLowercased), as: UTF8.self)
    let parts = words.split(omittingEmptySubsequences: false) { "= \t\r\n\"'".contains($0) }.filter { !$0.isEmpty }
    guard let place = parts.firstIndex(of: "encoding"), place + 1 < parts.count else { return nil }
    return String(parts[place + 1])
  }
}
