/// Reads events from an XML feed, such as AudioVault's (R6.3) and Live365's (R6.4), as it arrives.
///
/// Repairs common errors (`MarkupReader`) and ignores case. Never expands entities or fetches files. Events before an
/// error count, except in a feed above `byteLimit`. One thread; linear time.
public struct NowPlayingFeedReader: ~Copyable {
  /// Maximum length of a feed, in bytes.
  public static let byteLimit = 1 << 20

  private let events = NowPlayingEventCollector()
  private var markup: MarkupReader

  /// Creates a reader for one feed. `isUtf8`: true to decode UTF-8 and ignore byte order marks and declarations.
  public init(isUtf8: Bool = false) {
    markup = MarkupReader(to: events, byteLimit: Self.byteLimit, isUtf8: isUtf8)
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

  /// Returns the encoding in an XML declaration, in lower case; nil if absent from the first 512 bytes.
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
