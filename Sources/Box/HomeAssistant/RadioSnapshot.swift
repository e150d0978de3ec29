/// What the radio does at a moment, as Home Assistant is told it.
struct RadioSnapshot: Equatable, Sendable {
  /// What the radio does; the raw value is the word that is told.
  enum State: String, Sendable, CaseIterable {
    case playing, paused, buffering, connecting, stopped, standby
  }

  /// What it does.
  var state = State.stopped
  /// The station's name; empty where none is tuned to.
  var station = ""
  /// Who plays; empty where that is not known.
  var artist = ""
  /// What is played; empty where that is not known.
  var title = ""
  /// 0 to 100.
  var volume = 0
  /// What is wrong, in a few words; nil where nothing is.
  var fault: String?
  /// The presets, as a list to choose from.
  var presets = PresetOptions([])
  /// The place of the preset that is current, from 0; nil where what is current is none.
  var preset: Int?

  /// A radio that is stopped.
  init() {}
}
