import Alarms
import Control
import Network
import PanelWords
import Settings

/// Carries out the orders of an alarm with the player. Control thread only.
final class AlarmPlayer {
  /// The state of the radio before the alarm, which returns at its end; nil between alarms.
  private var before: (intent: PlaybackIntent, volume: Int, isMuted: Bool)?
  /// The player's `choices` after the alarm's own order.
  private var choices = 0
  private let presets: PresetController
  private let settings: SettingsController

  init(_ presets: PresetController, _ settings: SettingsController) {
    (self.presets, self.settings) = (presets, settings)
  }

  /// Returns the source of an alarm; nil if the preset is missing or the address is invalid.
  private func source(_ name: String) -> FallbackSource? {
    let buffer = settings.configuration.buffer
    return FallbackSource(name, among: PresetList(presets.catalog.presets)) { PresetCatalog.request($0, buffer) }
  }

  /// Returns a sentence about a source that cannot be played; nil for a usable one.
  func problem(of name: String) -> String? {
    source(name) == nil ? "There is no station \"\(name)\"; name a station of the list, an address or a path." : nil
  }

  /// Receives a station in advance; nil to end the reception.
  func prepare(_ name: String?, _ player: PlayerController) {
    player.receiveInAdvance(name.flatMap { source($0)?.station })
  }

  /// Plays the source of an alarm, whatever the radio does now.
  func play(_ name: String, volume: Int?, _ player: PlayerController) {
    if before == nil { before = (player.intent, player.volume.percent, player.volume.isMuted) }
    player.device.endAllLeases()
    if let volume { player.volume.turn(to: volume) }
    defer { choices = player.choices }
    let list = PresetList(presets.catalog.presets)
    if let place = list.place(named: name), player.playPreset(place) { return }
    guard let source = source(name) else { return }
    if let request = source.station ?? source.file { player.tune(request, name: source.name) }
  }

  /// True if the listener chose other audio after the alarm's order.
  func isReplaced(_ player: PlayerController) -> Bool { player.choices != choices }

  /// Continues with another player, such as after a lost card: its choices are not those of the listener.
  func adopt(_ player: PlayerController) { choices = player.choices }

  /// Ends the audio until the alarm rings again.
  func pause(_ player: PlayerController) {
    player.stop()
    choices = player.choices
  }

  /// Ends the audio of the alarm. A radio that had played before its expiry plays on.
  func silence(_ player: PlayerController, isExpired: Bool) {
    guard let before else { return }
    if !isExpired || before.intent != .playing {
      if before.intent == .standby { player.enterStandby() } else { player.stop() }
    }
    player.volume.turn(to: before.volume)
    if before.isMuted { player.volume.mute(true) }
  }

  func end() { before = nil }
}
