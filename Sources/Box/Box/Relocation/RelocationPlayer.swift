import Control
import Panel
import Units

/// Plays another address aloud on the owner's request, and retunes a preset that has moved. Control thread only.
final class RelocationPlayer {
  private let relocation: RelocationController
  private let presets: PresetController
  private let filler: PlayerFiller
  /// The state after a pending retry: playing or paused; nil if no retry is pending.
  var pending: () -> Resumption? = { nil }
  /// True if the queue contains an auditioned address that no client added.
  private var hasAuditionInQueue = false

  init(_ relocation: RelocationController, _ presets: PresetController, _ filler: PlayerFiller) {
    (self.relocation, self.presets, self.filler) = (relocation, presets, filler)
  }

  func question(_ player: PlayerController?, isFailing: Bool) -> PanelQuestion? {
    guard relocation.hasQuestions else { return nil }
    let tuned = player?.current?.request.url
    guard let asked = relocation.panelQuestion(tuned: tuned) else { return nil }
    return PanelQuestion(asked, isUrgent: relocation.audition == asked.url || isFailing && tuned == asked.url)
  }

  /// Applies the owner's reply for a preset; ignored if its question is gone.
  func apply(_ answer: PanelAnswer, of preset: String, _ player: PlayerController?) throws(ControlRefusal) {
    guard let asked = relocation.questions.first(where: { $0.name == preset }) else { return }
    switch answer {
    case .listen:
      guard let player, let request = relocation.request(for: asked) else { return }
      guard filler.playOutsidePresets(request, name: asked.question.name, player) else { throw .queueFull }
      relocation.beginAudition(of: asked)
      hasAuditionInQueue = true
    case .accept: try relocation.accept(asked)
    case .refuse:
      let wasHeard = relocation.audition == asked.url
      relocation.refuse(asked)
      guard let player else { return }
      if wasHeard { returnToPreset(to: asked.name, player) }
      removeFinishedAudition(player)
    }
  }

  /// Tunes from the auditioned address back to the preset. A stopped player only selects the preset.
  private func returnToPreset(to name: String, _ player: PlayerController) {
    if player.intent.allowsRetry, let pending = pending() { return play(name, player, pending) }
    switch player.status.state {
    case .playing, .buffering, .connecting: play(name, player, .playing)
    case .paused: play(name, player, .paused)
    default:
      guard let place = presets.catalog.entries.firstIndex(where: { $0.settings.name == name }) else { return }
      player.selectPreset(place)
    }
  }

  enum Resumption { case playing, paused }

  /// Returns the state to restore after a move; nil if the preset is not tuned, or still plays from the buffer.
  func resumption(
    of name: String, _ player: PlayerController, _ station: StationWatch, at now: MonotonicTime
  ) -> Resumption? {
    guard player.intent.allowsRetry, isTuned(to: name, player) else { return nil }
    if let pending = pending() { return pending }
    switch player.status.state {
    case .playing, .buffering, .connecting: return .playing
    case .paused where station.fault(at: now) != nil && player.status.held <= 0: return .paused
    default: return nil
    }
  }

  private func isTuned(to name: String, _ player: PlayerController) -> Bool {
    relocation.audition.map { url in
      presets.catalog.entries.contains { $0.settings.name == name && $0.settings.url == url }
    }
      ?? (player.presetPlace.flatMap { presets.name(at: $0) } == name)
  }

  func play(_ name: String, _ player: PlayerController, _ resumption: Resumption) {
    if let place = presets.catalog.entries.firstIndex(where: { $0.settings.name == name }), player.playPreset(place),
      resumption == .paused
    {
      player.pause()
    }
    removeFinishedAudition(player)
  }

  /// Removes the auditioned station from the queue after another station is tuned.
  func removeFinishedAudition(_ player: PlayerController) {
    guard hasAuditionInQueue, relocation.audition == nil else { return }
    hasAuditionInQueue = false
    filler.resumeFollowing(player)
  }
}
