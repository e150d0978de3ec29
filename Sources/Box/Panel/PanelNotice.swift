import PanelWords

/// What the display says for a moment.
public enum PanelNotice: Equatable, Sendable {
  /// The list of stations is empty.
  case noStations
  /// There is no preset of this number.
  case noPreset(Int)
  /// The radio is stopped.
  case nothingPlays
  /// What the knob turns now.
  case knob(KnobMode)
  /// In how many minutes the radio stops; nil: it does not.
  case sleep(minutes: Int?)

  /// A recording ended.
  case recordingEnded
  /// A recording could not begin, or ended too early.
  case recordingFailed
  /// A recording runs already.
  case alreadyRecording
  /// A song is kept, by its title.
  case songKept(title: String)
  /// A song could not be kept.
  case songNotKept
  /// The song is being kept already.
  case songKeptAlready
  /// The song is no longer held.
  case songGone
  /// The station told no title yet.
  case noTitle
  /// The station told no title before this one.
  case noEarlierTitle

  /// A preset has this number from 1 now, by its name.
  case preset(number: Int, name: String)
  /// A preset has the address that its station moved to, by its name.
  case presetRelocated(name: String)
  /// A preset was removed, by its name.
  case presetRemoved(name: String)
  /// What plays is a preset already.
  case presetAlready
  /// A station that was found cannot be played.
  case stationNotPlayed
  /// A preset could not be added, moved or removed.
  case presetsUnchanged
  /// A room was not set: its server is not there, or its group is muted.
  case roomUnchanged
}
