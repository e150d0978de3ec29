import Panel
import PanelLinux
import PanelWords

/// A key of `panel`, with the command that it sends to a box.
struct PanelKey {
  let shared: SharedKey?
  /// The words of the command; empty for a key of the terminal itself.
  let command: [String]

  init?(_ key: TerminalKey) {
    if let action = SharedKey(key) {
      shared = action
      command = Self.command(of: action)
    } else if let own = Self.own.first(where: { $0.key == key }) {
      shared = nil
      command = own.command
    } else {
      return nil
    }
  }

  /// The number of the station that the key plays; nil for other keys.
  var preset: Int? { PanelKey.presets.firstIndex { $0.command == command }.map { $0 + 1 } }

  /// The action of ↑ and ↓ on a radio without a menu: the neighbour in the list of stations; nil for other keys.
  var step: SharedKey? {
    switch command.last {
    case PanelAction.up.word: .previous
    case PanelAction.down.word: .next
    default: nil
    }
  }

  private static func command(of action: SharedKey) -> [String] {
    switch action {
    case .pause: press(.playPause)
    case .previous: press(.previous)
    case .next: press(.next)
    case .back: press(.rewind)
    case .forward: press(.forward)
    case .live: press(.live)
    case .louder: press(.volumeUp)
    case .softer: press(.volumeDown)
    case .mute: press(.mute)
    case .record: press(.record)
    case .keep: press(.keep)
    case .sleep: press(.sleep)
    case .favourite: ["radio_preset", "add"]
    case .help, .quit: []
    }
  }

  private static func press(_ action: PanelAction) -> [String] { ["radio_press", action.word] }

  private struct Own {
    let key: TerminalKey
    let name: String
    let command: [String]
    let meaning: String

    init(_ key: TerminalKey, _ name: String, _ action: PanelAction, _ meaning: String? = nil) {
      (self.key, self.name) = (key, name)
      command = press(action)
      self.meaning = meaning ?? action.meaning
    }

    init(turning key: Character, by clicks: Int, _ meaning: String) {
      (self.key, name) = (.character(key), String(key))
      command = ["radio_turn", "\(clicks)"]
      self.meaning = meaning
    }
  }

  private static let presets = "123456789".enumerated().map { place, digit in
    Own(.character(digit), "1 … 9", .preset(place + 1), "a station by its number")
  }

  private static let own =
    [
      Own(.up, "↑", .up), Own(.down, "↓", .down), Own(.enter, "Enter", .select), Own(.tab, "Tab", .mode),
      Own(turning: "[", by: -1, "turn the knob left"), Own(turning: "]", by: 1, "turn the knob right"),
      Own(.character("s"), "s", .stop), Own(.character("o"), "o", .power), Own(.character("d"), "d", .display),
    ] + presets

  static let list: [String] = {
    let shared = SharedKey.allCases.map { (name: $0.name, meaning: $0.meaning) }
    let others = own.prefix(own.count - presets.count + 1).map { (name: $0.name, meaning: $0.meaning) }
    return TerminalFrame.keys(shared + others)
  }()
}
