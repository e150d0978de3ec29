import Blocks

/// What is found next in a stream whose packets need more than their own bytes: of Ogg, FLAC or WAV.
public enum Framed: Equatable, Sendable {
  /// A packet; it was handed on.
  case packet
  /// What the packets from here on need; a link of a chain, or another stream, begins.
  case setup(CodecSetup)
  /// What the tags call what follows, from the next packet on.
  case tags(StreamTags)
  /// More bytes are needed.
  case needsMore
}

/// What a stream's own tags say: Vorbis comments, or the LIST chunk of a WAV file. Empty where they say nothing.
public struct StreamTags: Hashable, Sendable {
  /// The title.
  public var title: String?
  /// Who plays or speaks.
  public var artist: String?
  /// The album, or the station's name.
  public var album: String?

  /// Tags that say so.
  public init(title: String? = nil, artist: String? = nil, album: String? = nil) {
    (self.title, self.artist, self.album) = (title, artist, album)
  }

  /// Whether they say nothing.
  public var isEmpty: Bool { title == nil && artist == nil && album == nil }
}
