import PanelWords

/// What the panel asks of the radio.
public enum PanelOrder: Equatable, Sendable {
  /// Tune to a station of the list, by its place from 0.
  case tune(Int)
  /// Play an episode, by its place from 0.
  case episode(Int)
  /// Play, or pause what plays; resumes from standby too.
  case playPause
  /// Stop.
  case stop
  /// Move the time shift by seconds, back where negative.
  case seek(by: Int)
  /// To what is on the air.
  case live
  /// 0 to 100.
  case volume(Int)
  /// Silence, or sound again.
  case mute(Bool)
  /// Stop after so many minutes; nil for never.
  case sleep(minutes: Int?)
  /// Record what comes, or stop it.
  case record
  /// Keep the song that is heard.
  case keep
  /// Keep the song before it.
  case keepPrevious
  /// Keep what plays as a preset.
  case keepPreset
  /// Give a preset another place; both from 0.
  case movePreset(from: Int, to: Int)
  /// Remove a preset, by its place from 0.
  case removePreset(Int)
  /// What the owner answers to the question about a preset.
  case answer(PanelAnswer, preset: String)
  /// Play a station of the directory, by its rank.
  case hear(Int)
  /// Make a station of the directory a preset, by its rank.
  case keepFound(Int)
  /// Take the sound back from other programs.
  case takeBack
  /// Set the volume of a room, by its number: 0 to 100.
  case room(Int, volume: Int)
  /// Mute a room, by its number, or have it heard again.
  case muteRoom(Int, Bool)
  /// Go to standby.
  case powerOff
  /// A setting that was changed in the menu, to be kept.
  case setting(PanelSetting)
}

/// A setting that the menu changes.
public enum PanelSetting: Equatable, Sendable {
  /// From one step of a scrolling text to the next, in milliseconds.
  case scrollMilliseconds(Int)
  /// Whether the clock is shown while nothing plays.
  case idleClock(Bool)
  /// What the knob turns.
  case knobMode(KnobMode)
  /// What is shown while a station plays.
  case face(PanelFace)
  /// The language of the display.
  case language(Language)
  /// Whether the web panel is on.
  case web(Bool)
}

/// What a hand did.
public enum PanelInput: Equatable, Sendable {
  /// A gesture on a button, by what it is for.
  case action(PanelAction)
  /// Clicks of a knob, clockwise positive; a mode for a knob that always turns the same.
  case turn(Int, mode: KnobMode? = nil)
}
