/// How a player goes on by itself.
public struct PlayerPolicy: Sendable {
  /// Whether a station that fails is followed by the next, rather than kept to be tried again.
  public var skipsFailures: Bool
  /// Whether the queue goes on after the last item of a podcast or a list of files. Else the radio stops there: who
  /// listened to a podcast did not ask for the station that stands behind it in the queue.
  public var goesOnAfterLists: Bool

  /// A box's, unless it is told otherwise: a station that fails is tried again, and a podcast's end is the end.
  public init(skipsFailures: Bool = false, goesOnAfterLists: Bool = false) {
    (self.skipsFailures, self.goesOnAfterLists) = (skipsFailures, goesOnAfterLists)
  }
}
