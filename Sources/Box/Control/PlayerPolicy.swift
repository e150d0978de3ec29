/// The rules for continuing.
public struct PlayerPolicy: Sendable {
  /// True if the next station follows a failed one; otherwise the failed one is retried.
  public var skipsFailures: Bool
  /// True if the queue continues after the last item of a podcast or a list of files. Otherwise playback stops there,
  /// because the listener did not choose the next station.
  public var continuesAfterLists: Bool

  /// Creates a policy; the defaults are those of a box: retry failures, and stop after a podcast.
  public init(skipsFailures: Bool = false, continuesAfterLists: Bool = false) {
    (self.skipsFailures, self.continuesAfterLists) = (skipsFailures, continuesAfterLists)
  }
}
