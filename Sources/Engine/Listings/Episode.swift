/// One episode of a podcast, as its feed tells of it.
public struct Episode: Hashable, Sendable {
  /// Where it sounds: a URL as in `ListEntry`, seen from the feed's `xml:base` and else relative as written.
  public var reference: String
  /// Its name as plain text, fit for a display; at most 512 bytes, never empty.
  public var title: String?
  /// When it was published, in seconds since 1970 (UTC).
  public var date: Int64?
  /// How long it sounds, in whole seconds, 1 or more.
  public var seconds: Int?
  /// What tells it from all others of its feed: its `guid` or `id`, or else its reference; at most 4,096 bytes, never
  /// empty.
  public var identifier: String

  /// An episode; without an identifier its reference is one.
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
