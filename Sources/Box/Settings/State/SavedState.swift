import PanelWords
import Units

/// The state that survives a restart.
public struct SavedState: Equatable, Sendable {
  /// The last station's address, with the spelling of its file; nil before the first station.
  public var stationURL: StationAddress?
  /// The last station's name; nil if it has none.
  public var stationName: String?
  /// True if the address came from a directory, not from the owner.
  public var isFromDirectory = false
  /// Volume, 0 … 100 percent.
  public var volume = 30
  /// The mode of the knob.
  public var knobMode = KnobMode.tune
  /// The panel's word for the chosen view of a playing station; nil for the view with station and title.
  public var face: String?
  /// True if the output is muted.
  public var isMuted = false
  /// The owner's intent; a new radio plays.
  public var intent = PlaybackIntent.playing
  /// The sleep timer; nil if it is off.
  public var sleep: SavedSleep?
  /// The moment of the last alarm that has ended, in seconds since 1970; nil before the first.
  public var alarmsHandled: Int64?
  /// The last positions in podcast episodes.
  public var bookmarks = Bookmarks()
  /// The last known time, in seconds since 1970 (D14); zero if no time is known.
  public var wallClock: Int64 = 0

  /// Creates the state of a new radio.
  public init() {}

  /// True if the states differ only in the time, and in episode positions by less than a minute.
  func isSame(as other: SavedState) -> Bool {
    var other = other
    other.wallClock = wallClock
    if let sleep, sleep.minutes == other.sleep?.minutes { other.sleep = sleep }
    if bookmarks.isSame(as: other.bookmarks) { other.bookmarks = bookmarks }
    return self == other
  }
}
