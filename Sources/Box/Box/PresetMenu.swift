import Control
import Panel

/// What the panel's menu asks of the presets.
enum PresetMenu {
  /// Does it; words for the display, nil where there was nothing to do. `keep` makes what plays a preset.
  static func obey(
    _ order: PanelOrder, _ presets: PresetController, keep: () throws(ControlRefusal) -> Void
  ) throws(ControlRefusal) -> String? {
    switch order {
    case .keepPreset:
      try keep()
      return "Preset \(presets.count): \(presets.name(at: presets.count - 1) ?? "")"
    case .movePreset(let from, let to): return try presets.move(at: from, to: to).map { "Preset \(to + 1): \($0)" }
    case .removePreset(let place): return try presets.remove(at: place).map { "Removed: \($0)" }
    default: return nil
    }
  }
}
