/// What the radio does at a moment, as Home Assistant is told it.
public struct RadioSnapshot: Equatable, Sendable {
  /// What the radio does; the raw value is the word that is told.
  public enum State: String, Sendable, CaseIterable {
    case playing, paused, buffering, connecting, stopped, standby
  }

  /// What it does.
  public var state = State.stopped
  /// The station's name; empty where none is tuned to.
  public var station = ""
  /// Who plays; empty where that is not known.
  public var artist = ""
  /// What is played; empty where that is not known.
  public var title = ""
  /// 0 to 100.
  public var volume = 0
  /// What is wrong, in a few words; nil where nothing is.
  public var fault: String?
  /// The presets, as a list to choose from.
  public var presets = PresetOptions([])
  /// The place of the preset that is current, from 0; nil where what is current is none.
  public var preset: Int?

  /// A radio that is stopped.
  public init() {}
}
