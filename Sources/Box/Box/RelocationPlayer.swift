import Control
import Panel
import Units

/// What the question whether a preset has moved does to what plays: the other address is heard aloud, and a preset that
/// moved is played where it is now. The control thread's.
final class RelocationPlayer {
  private let relocation: RelocationController
  private let presets: PresetController
  private let filler: PlayerFiller
  /// How what is to be tried again goes on; nil where nothing is.
  var pending: () -> Resumption? = { nil }
  /// Whether the queue holds an address that was heard, and that nobody added.
  private var isBorrowing = false

  init(_ relocation: RelocationController, _ presets: PresetController, _ filler: PlayerFiller) {
    (self.relocation, self.presets, self.filler) = (relocation, presets, filler)
  }

  /// What the panel asks; nil: nothing. `isFailing` says whether what is tuned to does not come.
  func question(_ player: PlayerController?, isFailing: Bool) -> PanelQuestion? {
    let tuned = player?.current?.request.url
    guard let asked = relocation.shown(tuned: tuned) else { return nil }
    return PanelQuestion(asked, isUrgent: relocation.audition == asked.url || isFailing && tuned == asked.url)
  }

  /// Does what the owner answers to what is asked of a preset; nothing where that is not asked any more.
  func obey(_ answer: PanelAnswer, of preset: String, _ player: PlayerController?) throws(ControlRefusal) {
    guard let asked = relocation.asked.first(where: { $0.name == preset }) else { return }
    switch answer {
    case .hear:
      guard let player, let request = relocation.request(for: asked) else { return }
      guard filler.playBeside(request, name: asked.question.name, player) else { throw .queueFull }
      relocation.beginAudition(of: asked)
      isBorrowing = true
    case .take: try relocation.accept(asked)
    case .refuse:
      let wasHeard = relocation.audition == asked.url
      relocation.refuse(asked)
      guard let player else { return }
      if wasHeard { goBack(to: asked.name, player) }
      settle(player)
    }
  }

  /// The preset of a name takes the place of the other address; a box that is silent stays so.
  private func goBack(to name: String, _ player: PlayerController) {
    if let pending = pending() { return play(name, player, pending) }
    switch player.status.state {
    case .playing, .buffering, .connecting: play(name, player, .playing)
    case .paused: play(name, player, .paused)
    default:
      guard let place = presets.catalog.entries.firstIndex(where: { $0.settings.name == name }) else { return }
      player.selectPreset(place)
    }
  }

  /// How a preset that has another address is to go on there.
  enum Resumption { case playing, paused }

  /// How it goes on; nil where it is not tuned to, or plays what is held.
  func resumption(
    of name: String, _ player: PlayerController, _ station: StationWatch, at now: MonotonicTime
  ) -> Resumption? {
    guard isTuned(to: name, player) else { return nil }
    if let pending = pending() { return pending }
    switch player.status.state {
    case .playing, .buffering, .connecting: return .playing
    case .paused where station.fault(at: now) != nil && player.status.held <= 0: return .paused
    default: return nil
    }
  }

  /// Whether what plays, or is tried, is the preset of a name, or its other address.
  private func isTuned(to name: String, _ player: PlayerController) -> Bool {
    relocation.audition.map { url in
      presets.catalog.entries.contains { $0.settings.name == name && $0.settings.url == url }
    }
      ?? (player.presetPlace.flatMap { presets.name(at: $0) } == name)
  }

  /// Goes on with the preset of a name.
  func play(_ name: String, _ player: PlayerController, _ resumption: Resumption) {
    if let place = presets.catalog.entries.firstIndex(where: { $0.settings.name == name }), player.playPreset(place),
      resumption == .paused
    {
      player.pause()
    }
    settle(player)
  }

  /// Takes what was heard out of the queue again, once something else plays.
  func settle(_ player: PlayerController) {
    guard isBorrowing, relocation.audition == nil else { return }
    isBorrowing = false
    filler.goOnFollowing(player)
  }
}
