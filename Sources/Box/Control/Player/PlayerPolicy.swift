/// The rules for playback after a failure, and after the end of a list.
public struct PlayerPolicy: Sendable {
  /// True if the next station follows a failed one; otherwise the failed one is retried.
  public var skipsFailures: Bool
  /// True if the next station follows the last item of a podcast or a list of files. If false, playback stops there,
  /// because the listener did not choose the next station.
  public var continuesAfterLists: Bool
  /// True if the queue contains alternatives, such as favourites. `next` and `previous` then wrap, and without the
  /// option `repeat` no station follows automatically.
  public var areAlternatives: Bool

  /// Creates a policy. Defaults: retry a failed station, and stop after a podcast and at the end of the queue.
  public init(skipsFailures: Bool = false, continuesAfterLists: Bool = false, areAlternatives: Bool = false) {
    (self.skipsFailures, self.continuesAfterLists) = (skipsFailures, continuesAfterLists)
    self.areAlternatives = areAlternatives
  }
}
