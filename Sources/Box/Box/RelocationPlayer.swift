import Control
import Panel
import Units

/// What the question whether a preset has moved does to what plays: the other address is heard aloud, and a preset that
/// moved is played where it is now. The control thread's.
final class RelocationPlayer {
  private let relocation: RelocationController
  private let presets: PresetController
  private let filler: PlayerFiller
  /// Whether the queue was what the presets are when the other address was tuned to; nil while none is heard.
  private var followedPresets: Bool?

  init(_ relocation: RelocationController, _ presets: PresetController, _ filler: PlayerFiller) {
    (self.relocation, self.presets, self.filler) = (relocation, presets, filler)
  }

  /// What the panel asks; nil: nothing. `isFailing` says whether what is tuned to does not come.
  func question(_ player: PlayerController?, isFailing: Bool) -> PanelQuestion? {
    let tuned = player?.current?.request.url
    guard let asked = relocation.shown(tuned: tuned) else { return nil }
    return PanelQuestion(asked, isUrgent: relocation.audition == asked.url || isFailing && tuned == asked.url)
  }

  /// Does what the owner answers to that.
  func obey(_ answer: PanelAnswer, _ player: PlayerController?) throws(ControlRefusal) {
    guard let player, let asked = relocation.shown(tuned: player.current?.request.url) else { return }
    switch answer {
    case .hear:
      guard let request = relocation.beginAudition(of: asked) else { return }
      followedPresets = followedPresets ?? filler.followsPresets
      player.tune(request, name: asked.question.name)
    case .take: try relocation.accept(asked)
    case .refuse:
      let wasHeard = relocation.audition != nil
      relocation.refuse(asked)
      if wasHeard { play(asked.name, player) }
      settle(player)
    }
  }

  /// Whether what plays, or is tried, is the preset of a name, or its other address.
  func isTuned(to name: String, _ player: PlayerController) -> Bool {
    relocation.audition.map { url in
      presets.catalog.entries.contains { $0.settings.name == name && $0.settings.url == url }
    }
      ?? (player.presetPlace.flatMap { presets.name(at: $0) } == name)
  }

  /// Plays the preset of a name.
  func play(_ name: String, _ player: PlayerController) {
    if let place = presets.catalog.entries.firstIndex(where: { $0.settings.name == name }) { player.playPreset(place) }
    settle(player)
  }

  /// Takes what was heard out of the queue again, once something else plays.
  func settle(_ player: PlayerController) {
    guard relocation.audition == nil, let followed = followedPresets.take(), followed else { return }
    filler.followPresets(player)
  }
}
