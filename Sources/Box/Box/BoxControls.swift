import Control

/// The commands for a remote-controlled panel.
protocol PanelControls: AnyObject {
  func press(_ button: String, _ gesture: String) throws(ControlRefusal)
  /// Turns the knob. `mode`: nil for the knob's current mode.
  func turn(_ clicks: Int, _ mode: String?) throws(ControlRefusal)
  /// Replies with the displayed text.
  func tellDisplay(_ answer: inout ControlAnswer, isLocal: Bool)
}

/// The commands' access to the box; implemented by `Appliance`.
protocol BoxControls: PanelControls {
  var presets: PresetController { get }
  var settings: SettingsController { get }
  /// The presets that may have a new address.
  var relocation: RelocationController { get }
  /// Applies the owner's replies about moved presets to playback.
  var mover: RelocationPlayer { get }
  /// The rooms of the Snapcast server.
  var rooms: RoomKeeper { get }
  var web: WebKeeper { get }
  /// The station directory. Every access opens a closed directory.
  var directory: DirectoryState { get }
  /// The files besides the settings that `reload` reads.
  var sources: (stations: String, owner: String) { get }

  /// Adds the box's own fields to `radio_status`.
  func addStatus(to answer: inout ControlAnswer)
  /// Applies changed presets to the player and the queue.
  func usePresets()
  /// Saves the playing station as a preset.
  func keepWhatPlays() throws(ControlRefusal)
  /// Sets a setting from text; "reset" restores the file's value. Returns true if the change applies at once.
  func set(_ key: String, as text: String) throws(ControlRefusal) -> Bool
  /// Reloads settings and stations. Returns the error as a sentence; nil without errors.
  func reload() -> String?
}
