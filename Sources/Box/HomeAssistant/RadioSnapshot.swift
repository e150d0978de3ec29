/// The state of the radio for Home Assistant.
public struct RadioSnapshot: Equatable, Sendable {
  /// The state of playback. The raw value is the published word.
  public enum State: String, Sendable, CaseIterable {
    case playing, paused, buffering, connecting, retrying, stopped, standby
  }

  /// A fallback or a tone that plays or is tried instead of the station.
  public struct Replacement: Equatable, Sendable {
    /// The name of the source, or "tone".
    public var source: String
    /// The name of the station.
    public var station: String
    /// The reason as a sentence.
    public var reason: String
    /// Time in UTC since which the station is replaced (RFC 3339); nil while the clock is not set.
    public var since: String?
    /// Time in UTC of the next attempt to receive the station, or "now"; nil if unknown or not planned.
    public var nextAttempt: String?

    /// Creates a replacement without times.
    public init(source: String, station: String, reason: String) {
      (self.source, self.station, self.reason) = (source, station, reason)
    }
  }

  /// The state of playback.
  public var state = State.stopped
  /// The station's name; empty without a station.
  public var station = ""
  /// The artist; empty if unknown.
  public var artist = ""
  /// The title; empty if unknown.
  public var title = ""
  /// The volume in percent, 0 to 100.
  public var volume = 0
  /// Minutes of the sleep timer; 0 if off.
  public var sleepMinutes = 0
  /// The fault in a few words; nil without a fault.
  public var fault: String?
  /// The source that replaces the station; nil while the station is the source.
  public var replacement: Replacement?
  /// The presets as options.
  public var presets = PresetOptions([])
  /// The position of the current preset, from 0; nil if the station is not a preset.
  public var preset: Int?

  /// The longest sleep timer in minutes.
  static let maxSleepMinutes = 1_440

  /// Creates a stopped radio.
  public init() {}

  func differsOnlyInTitle(from other: RadioSnapshot) -> Bool {
    var other = other
    (other.artist, other.title) = (artist, title)
    return self == other
  }
}
