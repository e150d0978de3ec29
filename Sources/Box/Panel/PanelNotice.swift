import PanelWords

/// A short message on the display.
public enum PanelNotice: Equatable, Sendable {
  /// The station list is empty.
  case noStations
  /// No preset has this number.
  case noPreset(Int)
  /// The radio is stopped.
  case nothingPlays
  /// The new mode of the knob.
  case knob(KnobMode)
  /// The minutes of the sleep timer; nil if off.
  case sleep(minutes: Int?)

  /// A recording ended.
  case recordingEnded
  /// A recording did not start, or ended early.
  case recordingFailed
  /// A recording is already running.
  case alreadyRecording
  /// A song is being saved.
  case songKept(title: String)
  /// A song could not be saved.
  case songNotKept
  /// The song is already being saved.
  case songKeptAlready
  /// The song is no longer in the buffer.
  case songGone
  /// The station has sent no title yet.
  case noTitle
  /// The station sent no earlier title.
  case noEarlierTitle

  /// A preset got this number, from 1.
  case preset(number: Int, name: String)
  /// A preset got the new address of its station.
  case presetRelocated(name: String)
  /// A preset was removed.
  case presetRemoved(name: String)
  /// The current station is already a preset.
  case presetAlready
  /// A found station cannot be played.
  case stationNotPlayed
  /// A preset could not be added, moved or removed.
  case presetsUnchanged
  /// A room was not changed: its server is not connected, or its group is muted.
  case roomUnchanged
}
