/// An order from Home Assistant.
public enum HomeOrder: Equatable, Sendable {
  /// Play, if stopped or paused.
  case play
  /// Pause, if playing.
  case pause
  /// Stop and disconnect.
  case stop
  /// Enter standby, or play.
  case power(Bool)
  /// Tune to the next station, or play the next item of a podcast.
  case next
  /// Save the audible song.
  case keep
  /// Set the volume, 0 to 100.
  case volume(Int)
  /// Set the sleep timer in minutes, 0 to 1440; 0 for off.
  case sleep(Int)
  /// Tune to the preset with this text (`PresetOptions`).
  case station(String)
}
