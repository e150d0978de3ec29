import Control

protocol PanelControls: AnyObject {
  func press(_ button: String, _ gesture: String) throws(ControlRefusal)
  /// Turns the knob. `mode`: nil for the knob's current mode.
  func turn(_ clicks: Int, _ mode: String?) throws(ControlRefusal)
  func writeDisplay(_ answer: inout ControlAnswer, isLocal: Bool)
}

protocol BoxControls: PanelControls {
  var presets: PresetController { get }
  var settings: SettingsController { get }
  var relocation: RelocationController { get }
  var mover: RelocationPlayer { get }
  var rooms: RoomKeeper { get }
  var web: WebKeeper { get }
  var alarms: AlarmKeeper { get }
  var directory: DirectoryState { get }
  var updates: any DirectoryControl { get }
  /// Remaining minutes of the sleep timer; nil if off.
  var sleepMinutes: Int? { get }
  /// Paths of the files that `reload` reads in addition to the settings.
  var sources: (stations: String, owner: String) { get }

  func addStatus(to answer: inout ControlAnswer)
  /// Enters standby, or plays a radio that is stopped or in standby.
  func power(_ isOn: Bool)
  /// Sets the sleep timer; nil switches it off.
  func setSleep(minutes: Int?)
  func usePresets()
  func savePlaying() throws(ControlRefusal)
  /// Sets a setting from text; "reset" restores the file's value. Returns true if the change applies at once.
  func set(_ key: String, as text: String) throws(ControlRefusal) -> Bool
  /// Reloads settings and stations without interrupting playback. Returns the error as a sentence; nil without errors.
  func reload() -> String?
}
