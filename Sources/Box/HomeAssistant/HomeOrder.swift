/// What Home Assistant asks of the radio.
public enum HomeOrder: Equatable, Sendable {
  /// Play, if it does not.
  case play
  /// Pause, if it plays.
  case pause
  /// The next station, or the next item of a podcast.
  case next
  /// Keep the song that is heard.
  case keep
  /// 0 to 100.
  case volume(Int)
  /// Tune to the preset with this text (`PresetOptions`).
  case station(String)
}
