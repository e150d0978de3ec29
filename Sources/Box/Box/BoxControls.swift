import Control

/// A panel that is driven from outside.
protocol PanelControls: AnyObject {
  /// Presses a button of the panel.
  func press(_ button: String, _ gesture: String) throws(ControlRefusal)
  /// Turns the knob.
  func turn(_ clicks: Int, _ mode: String?) throws(ControlRefusal)
  /// Tells what the display shows.
  func tellDisplay(_ answer: inout ControlAnswer, isLocal: Bool)
}

/// What the box's own commands act on: `Appliance`.
protocol BoxControls: PanelControls {
  /// The owner's presets.
  var presets: PresetController { get }
  /// The settings that count.
  var settings: SettingsController { get }
  /// The presets that may have moved.
  var relocation: RelocationController { get }
  /// What the answers of the owner do to what plays.
  var mover: RelocationPlayer { get }
  /// The rooms of a snapserver.
  var rooms: RoomKeeper { get }
  /// The web panel.
  var web: WebKeeper { get }
  /// The station directory, which asking has opened.
  var directory: DirectoryState { get }
  /// The files that `reload` reads beside the settings.
  var sources: (stations: String, owner: String) { get }

  /// Adds to `radio_status` what the box alone knows.
  func addStatus(to answer: inout ControlAnswer)
  /// The presets are others: everybody is to use them.
  func usePresets()
  /// Makes what plays a preset.
  func keepWhatPlays() throws(ControlRefusal)
  /// Sets a setting as a person writes it, "reset" takes it back. Whether that counts at once.
  func set(_ key: String, as text: String) throws(ControlRefusal) -> Bool
  /// Reads settings and stations again; the sentence of what stays as it was, nil where nothing does.
  func reload() -> String?
}
