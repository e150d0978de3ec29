import Blocks

/// The next result of a framer.
public enum Framed: Equatable, Sendable {
  /// A packet, already passed to the caller's closure.
  case packet
  /// Set-up for the next packets. A new stream or chained link begins.
  case setup(CodecSetup)
  /// Tags that describe the next packets.
  case tags(StreamTags)
  case needsMore
}

/// Tags of a stream: Vorbis comments, or the texts of a WAV or AIFF file.
public struct StreamTags: Hashable, Sendable {
  /// The title.
  public var title: String?
  /// The performer or speaker.
  public var artist: String?
  /// The album, or the station's name.
  public var album: String?

  /// Creates tags.
  public init(title: String? = nil, artist: String? = nil, album: String? = nil) {
    (self.title, self.artist, self.album) = (title, artist, album)
  }

  /// True if all fields are nil.
  public var isEmpty: Bool { title == nil && artist == nil && album == nil }
}
