/// The state of the radio for Home Assistant.
public struct RadioSnapshot: Equatable, Sendable {
  /// The state of playback. The raw value is the published word.
  public enum State: String, Sendable, CaseIterable {
    case playing, paused, buffering, connecting, retrying, stopped, standby
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
