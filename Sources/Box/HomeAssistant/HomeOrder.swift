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
  /// Tune to the preset with this text (`PresetOptions`).
  case station(String)
}
