/// What a podcast's feed says.
public struct Feed: Hashable, Sendable {
  /// The podcast's name, fit for a display; at most 512 bytes, never empty.
  public var title: String?
  /// Whether it is to be heard from its first episode on (`itunes:type` is "serial").
  public var isSerial = false
  /// The episodes that can be heard, in the feed's order, which mostly is the newest first.
  public var episodes: [Episode] = []

  /// A feed.
  public init(title: String? = nil, isSerial: Bool = false, episodes: [Episode] = []) {
    self.title = title
    self.isSerial = isSerial
    self.episodes = episodes
  }
}
