/// The rules for playback after a failure, after the end of a list, and for stations received in advance.
public struct PlayerPolicy: Sendable {
  /// True if the next station follows a failed one; otherwise the failed one is retried.
  public var skipsFailures: Bool
  /// True if the next station follows the last item of a podcast or a list of files. If false, playback stops there,
  /// because the listener did not choose the next station.
  public var continuesAfterLists: Bool
  /// True if the queue contains alternatives, such as favourites. `next` and `previous` then wrap, and without the
  /// option `repeat` no station follows automatically.
  public var areAlternatives: Bool
  /// Number of stations next to the current one that are received in advance (B5).
  public var prefetchCount = 0
  /// Maximum audio received in advance within an hour, in bytes; nil for no limit.
  public var maxPrefetchBytes: Int?

  /// Creates a policy. Defaults: retry a failed station, and stop after a podcast and at the end of the queue.
  public init(skipsFailures: Bool = false, continuesAfterLists: Bool = false, areAlternatives: Bool = false) {
    (self.skipsFailures, self.continuesAfterLists) = (skipsFailures, continuesAfterLists)
    self.areAlternatives = areAlternatives
  }
}
