import PanelLinux

extension TerminalKey {
  /// The key's name in board files; nil if it has none.
  var word: String? {
    switch self {
    case .up: "up"
    case .down: "down"
    case .left: "left"
    case .right: "right"
    case .enter: "enter"
    case .escape: "escape"
    case .tab: "tab"
    case .backspace: "backspace"
    case .home: "home"
    case .end: "end"
    case .pageUp: "page_up"
    case .pageDown: "page_down"
    case .character(" ", false): "space"
    case .character(let character, false): String(character)
    default: nil
    }
  }
}
