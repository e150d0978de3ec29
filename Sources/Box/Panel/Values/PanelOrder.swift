/// An order of the panel to the radio.
public enum PanelOrder: Equatable, Sendable {
  /// Tune to a station of the list, by position from 0.
  case tune(Int)
  /// Play an episode, by position from 0.
  case episode(Int)
  /// Play or pause; also ends standby.
  case playPause
  /// Pause; no effect on a paused radio.
  case pause
  case stop
  /// Shift the time by seconds; negative for back.
  case seek(by: Int)
  case live
  /// Set the volume, 0 to 100.
  case volume(Int)
  case mute(Bool)
  /// Stop after some minutes; nil to cancel.
  case sleep(minutes: Int?)
  /// Start or stop a recording.
  case record
  case keep
  case keepPrevious
  /// Store the current station as a preset.
  case keepPreset
  /// Move a preset; both positions from 0.
  case movePreset(from: Int, to: Int)
  /// Remove a preset, by position from 0.
  case removePreset(Int)
  /// The owner's answer to the question about a preset.
  case answer(PanelAnswer, preset: String)
  /// Play a station of the directory, by rank.
  case playFound(Int)
  /// Store a station of the directory as a preset, by rank.
  case keepFound(Int)
  /// Play a recording, by its path within the recordings folder.
  case playRecording(String)
  /// Delete a recording and its cue sheet, by its path within the recordings folder.
  case deleteRecording(String)
  /// Play a file of this machine, by its path.
  case playFile(String, title: String)
  /// Download the station directory.
  case fetchDirectory
  /// Take the sound card back from other programs.
  case takeBack
  /// Set the volume of a room, by number: 0 to 100.
  case room(Int, volume: Int)
  /// Mute or unmute a room, by number.
  case muteRoom(Int, Bool)
  /// Enter standby.
  case powerOff
  /// Store a setting that was changed in the menu.
  case setting(PanelSetting)
}
