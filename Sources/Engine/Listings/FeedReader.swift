import Framing

/// Reads a podcast's feed while it comes: RSS of all versions and Atom, with the fields of iTunes and Media RSS.
///
/// Feeds are long and seldom quite XML: what has been read is let go, common faults are mended (`MarkupReader`), and
/// the episodes before any other fault count. What one feed keeps has a bound, whatever comes. One thread; linear.
public struct FeedReader: ~Copyable {
  /// The longest feed, in bytes; what comes after them is not read.
  public static let byteLimit = 16 << 20
  /// The most episodes; those after it are left out.
  public static let episodeLimit = 500
  /// The longest title, in bytes of UTF-8; a longer one is cut.
  public static let titleLimit = 512
  /// The longest reference or identifier, in bytes of UTF-8; an episode with a longer reference is left out.
  public static let referenceLimit = PlaylistParser.lineLimit
  /// What all the episodes' texts may take, in bytes of UTF-8; the episodes after it are left out.
  public static let textLimit = 1 << 20

  private let episodes = FeedEpisodes()
  private var markup: MarkupReader

  /// A reader for one feed.
  public init() { markup = MarkupReader(to: episodes, byteLimit: Self.byteLimit) }

  /// Whether nothing that may follow changes the feed: its end, its last episode, a fault or a limit came.
  public var isComplete: Bool { markup.isComplete }

  /// Reads on; pieces may be cut anywhere.
  public mutating func append(_ bytes: Span<UInt8>) { markup.append(bytes) }

  /// What the feed says, with one episode at least; nothing more comes.
  ///
  /// - Throws: `ListingError`: `.empty` where no episode has anything to be heard; `.tooLarge` or `.malformed` where
  ///   the limit or a fault comes before the first episode.
  public consuming func finish() throws(ListingError) -> Feed {
    let fault = markup.finish()
    guard episodes.feed.episodes.isEmpty else { return episodes.feed }
    throw fault ?? .empty
  }
}
