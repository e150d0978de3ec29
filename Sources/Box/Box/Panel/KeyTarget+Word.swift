import Settings

extension Board.KeyTarget {
  /// The target's text in a `KeyMap`.
  var word: String {
    switch self {
    case .button(let name): "button " + name
    case .click(let name, let isClockwise): (isClockwise ? "right " : "left ") + name
    case .axis(let name): "axis " + name
    }
  }

  init?(word: String) {
    let parts = word.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "button": self = .button(parts[1])
    case "right": self = .click(parts[1], isClockwise: true)
    case "left": self = .click(parts[1], isClockwise: false)
    default: self = .axis(parts[1])
    }
  }
}
