/// The limits on the episodes of a podcast's feed.
public enum FeedLimits {
  /// Maximum number of episodes; further episodes are omitted, or the first ones of a feed in ascending order.
  public static let maxEpisodeCount = 500
  /// Maximum length of a title, in UTF-8 bytes; longer titles are cut.
  public static let maxTitleLength = 512
  /// Maximum length of a reference or identifier, in UTF-8 bytes. Episodes with a longer reference are omitted.
  public static let maxReferenceLength = PlaylistLimits.maxLineLength
  /// Maximum length of all texts together, in UTF-8 bytes; further episodes are omitted.
  public static let maxTextLength = 1 << 20
}
