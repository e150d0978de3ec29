import PanelWords
import Units

/// What a radio remembers while it is off.
public struct SavedState: Equatable, Sendable {
  /// The last station's address, as its file has it; nil where none was heard yet.
  public var stationURL: StationAddress?
  /// The last station's name; nil where it has none.
  public var stationName: String?
  /// Whether a directory named that address, and not the owner.
  public var isFromDirectory = false
  /// 0 … 100 percent.
  public var volume = 30
  /// What the knob does.
  public var knobMode = KnobMode.tune
  /// What is shown while a station plays, by the panel's word, where it was chosen; nil: station and title.
  public var face: String?
  /// Whether the sound is muted.
  public var isMuted = false
  /// Whether the radio was off.
  public var isStandby = false
  /// Where episodes were left.
  public var bookmarks = Bookmarks()
  /// The last known time, in seconds since 1970 (D14); zero: never known.
  public var wallClock: Int64 = 0

  /// What a new radio begins with.
  public init() {}

  /// What it holds but what goes on by itself: the time, and for a minute the place in an episode.
  func isSame(as other: SavedState) -> Bool {
    var other = other
    other.wallClock = wallClock
    if bookmarks.isSame(as: other.bookmarks) { other.bookmarks = bookmarks }
    return self == other
  }
}
