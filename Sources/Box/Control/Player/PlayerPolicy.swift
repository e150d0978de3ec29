/// The rules for playback after a failure, and after the end of a list.
public struct PlayerPolicy: Sendable {
  /// True if the next station follows a failed one; otherwise the failed one is retried.
  public var skipsFailures: Bool
  /// True if the next station follows the last item of a podcast or a list of files. If false, playback stops there,
  /// because the listener did not choose the next station.
  public var continuesAfterLists: Bool

  /// Creates a policy. Defaults: retry a failed station, and stop after a podcast.
  public init(skipsFailures: Bool = false, continuesAfterLists: Bool = false) {
    (self.skipsFailures, self.continuesAfterLists) = (skipsFailures, continuesAfterLists)
  }
}
