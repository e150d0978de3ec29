/// One episode of a podcast, as described by its feed.
public struct Episode: Hashable, Sendable {
  /// The URL of the audio, in the form of `ListEntry.reference`; resolved against the feed's `xml:base` if present.
  public var reference: String
  /// The name as plain text for display; 1 … 512 bytes.
  public var title: String?
  /// The publication time, in seconds since 1970 (UTC).
  public var date: Int64?
  /// The duration, in whole seconds, 1 or more.
  public var seconds: Int?
  /// The unique identifier within the feed: its `guid`, `id` or `rdf:about`, otherwise the reference; 1 … 4,096 bytes.
  public var identifier: String

  /// Creates an episode. Without an identifier, the reference identifies it.
  public init(
    reference: String, title: String? = nil, date: Int64? = nil, seconds: Int? = nil, identifier: String? = nil
  ) {
    self.reference = reference
    self.title = title
    self.date = date
    self.seconds = seconds
    self.identifier = identifier ?? reference
  }
}
