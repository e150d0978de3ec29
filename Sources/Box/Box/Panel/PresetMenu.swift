import Control
import Panel

enum PresetMenu {
  /// Applies a menu command. Returns a notice for the display; nil without a notice. `found`: returns the directory's
  /// station with a rank. `keep`: stores the playing station as a preset.
  static func apply(
    _ order: PanelOrder, _ presets: PresetController, found: (Int) -> FoundStation? = { _ in nil },
    mover: (RelocationPlayer, PlayerController?)? = nil, keep: () throws(ControlRefusal) -> Void
  ) throws(ControlRefusal) -> PanelNotice? {
    switch order {
    case .keepPreset:
      try keep()
      return savedNotice(presets)
    case .keepFound(let rank):
      guard let found = found(rank) else { return nil }
      try presets.save(found)
      return savedNotice(presets)
    case .answer(let given, let preset):
      try mover?.0.apply(given, of: preset, mover?.1)
      return nil
    case .movePreset(let from, let to):
      return try presets.move(at: from, to: to).map { .preset(number: to + 1, name: $0) }
    case .removePreset(let place): return try presets.remove(at: place).map { .presetRemoved(name: $0) }
    default: return nil
    }
  }

  private static func savedNotice(_ presets: PresetController) -> PanelNotice {
    .preset(number: presets.count, name: presets.name(at: presets.count - 1) ?? "")
  }
}

extension PanelNotice {
  init(_ refusal: ControlRefusal) {
    self =
      switch refusal.code {
      case .notPlaying: .nothingPlays
      case .exists: .presetAlready
      case .full: .stationNotPlayed
      default: .presetsUnchanged
      }
  }
}
