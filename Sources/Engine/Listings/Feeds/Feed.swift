/// The contents of a podcast's feed.
public struct Feed: Hashable, Sendable {
  /// The podcast's name for display; 1 … 512 bytes.
  public var title: String?
  /// True if the podcast should be played from its first episode (`itunes:type` is "serial").
  public var isSerial = false
  /// The declared encoding if unknown, so that the text was read as windows-1252; nil otherwise.
  public var unknownEncoding: String?
  /// The episodes with audio, in feed order: usually newest first.
  public var episodes: [Episode] = []

  /// Creates a feed.
  public init(title: String? = nil, isSerial: Bool = false, episodes: [Episode] = []) {
    self.title = title
    self.isSerial = isSerial
    self.episodes = episodes
  }
}
