import PanelWords

/// A short message on the display.
public enum PanelNotice: Equatable, Sendable {
  case noStations
  case noPreset(Int)
  case nothingPlays
  case knob(KnobMode)
  /// The minutes of the sleep timer; nil if off.
  case sleep(minutes: Int?)

  case recordingEnded
  /// A recording did not start, or ended early.
  case recordingFailed
  case alreadyRecording
  /// The disk, or the folder of recordings, has no room.
  case recordingsFull
  /// A recording was not deleted, because it is still being written.
  case recordingGrowing
  case recordingNotDeleted
  /// The disk has not finished an earlier order.
  case diskBusy
  /// A song is being saved.
  case songKept(title: String)
  case songNotKept
  case songKeptAlready
  /// The song has left the buffer.
  case songGone
  case noTitle
  case noEarlierTitle

  /// A preset got this number, from 1.
  case preset(number: Int, name: String)
  case presetRelocated(name: String)
  case presetRemoved(name: String)
  /// A fallback plays instead of the station; nil for the tone.
  case failedOver(to: String?)
  /// The station plays again.
  case cameBack(to: String)
  case presetAlready
  /// A found station or a recording cannot be played.
  case stationNotPlayed
  /// A preset could not be added, moved or removed.
  case presetsUnchanged
  /// The station directory was downloaded.
  case directoryReady
  /// The station directory could not be downloaded.
  case directoryUnchanged
  /// A room was not changed: its server is not connected, or its group is muted.
  case roomUnchanged
  /// An alarm rings; its local time, such as "06:30".
  case alarm(time: String)
  case alarmSnoozed(minutes: Int)
  case alarmStopped
  /// A setting has an unusable value, and its default counts.
  case settingReplaced(key: String)
}
