import Panel
import PanelWords
import Settings

/// The key help of a panel in a terminal.
struct TerminalKeyList {
  private var keys: [(name: String, meaning: String, rank: Int)] = []

  init(_ board: Board, _ targets: [String: Board.KeyTarget]) {
    var presets: [String] = []
    for (key, target) in targets.sorted(by: { $0.key < $1.key }) {
      switch target {
      case .button(let name):
        guard let action = board.buttons.first(where: { $0.name == name })?.actions[.press] else { continue }
        if case .preset = action { presets.append(key) } else { add(key, action.meaning, Self.rank(action)) }
      case .click(_, let isClockwise): add(key, "the knob, to the \(isClockwise ? "right" : "left")", -1)
      case .axis: break
      }
    }
    if let first = presets.first, let last = presets.last {
      add(first == last ? first : "\(first) … \(last)", "a station by its number", .max)
    }
    add("?", "this list, or not", .max)
    keys = keys.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
  }

  private mutating func add(_ key: String, _ meaning: String, _ rank: Int) {
    keys.append((Self.names[key] ?? key, meaning, rank))
  }

  private static func rank(_ action: PanelAction) -> Int { PanelAction.words.firstIndex(of: action.word) ?? .max }

  private static let names = [
    "up": "↑", "down": "↓", "left": "←", "right": "→", "enter": "Enter", "escape": "Esc", "tab": "Tab",
    "space": "Space", "backspace": "Backspace",
  ]

  var lines: [String] { TerminalFrame.keys(keys.map { ($0.name, $0.meaning) }) }
}
