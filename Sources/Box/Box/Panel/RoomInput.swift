import Panel

enum RoomInput {
  /// Translates an input for a box that is a room; nil to ignore it. `isFree`: true if no menu is open.
  static func translate(of input: PanelInput, isFree: Bool) -> PanelInput? {
    switch input {
    case .turn(let clicks, .volume?): return .turn(clicks, mode: .volume)
    case .turn(let clicks, _): return .turn(clicks)
    case .action(let action):
      switch action {
      case .volumeUp, .volumeDown, .mute, .select, .menu, .up, .down: return input
      // On most boards, a long press of the knob is `mode`.
      case .mode: return .action(.menu)
      case .next, .previous: return isFree ? nil : input
      case .playPause, .stop, .power: return .action(.mute)
      default: return nil
      }
    }
  }
}
