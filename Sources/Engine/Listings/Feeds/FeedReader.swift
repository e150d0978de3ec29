import Framing

/// Reads a podcast's feed incrementally: RSS of all versions and Atom, with the iTunes and Media RSS fields.
///
/// Feeds are long and seldom valid XML. Processed input is discarded, and common errors are repaired (`MarkupReader`).
/// After any other error, the earlier episodes remain. Memory use is bounded for any input. One thread; linear time.
public struct FeedReader: ~Copyable {
  /// Maximum length of a feed, in bytes; the rest is not read.
  public static let byteLimit = 16 << 20

  private let episodes = FeedEpisodes()
  private var markup: MarkupReader

  /// Creates a reader for one feed. `contentType`: the header field, for a feed that declares no encoding.
  public init(contentType: String? = nil) {
    markup = MarkupReader(to: episodes, byteLimit: Self.byteLimit, contentType: contentType)
  }

  /// True if further input cannot change the feed: after its end, an error or a limit.
  public var isComplete: Bool { markup.isComplete }

  /// Processes the next bytes, split anywhere.
  public mutating func append(_ bytes: Span<UInt8>) { markup.append(bytes) }

  /// Ends the input and returns the feed, with at least one episode.
  ///
  /// - Throws: `ListingError`: `.empty` if no episode has audio; `.tooLarge` or `.malformed` if the limit or an error
  ///   precedes the first episode.
  public consuming func finish() throws(ListingError) -> Feed {
    let fault = markup.finish()
    var feed = episodes.finish()
    guard !feed.episodes.isEmpty else { throw fault ?? .empty }
    feed.unknownEncoding = markup.unknownEncoding
    return feed
  }
}
