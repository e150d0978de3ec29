import PanelLinux

/// The actions that `play` and `panel` have in common, with their keys.
enum SharedKey: CaseIterable {
  case pause, previous, next, back, forward, live, louder, softer, mute, record, keep, sleep, favourite, help, quit

  init?(_ key: TerminalKey) {
    guard let action = Self.allCases.first(where: { $0.keys.contains(key) }) else { return nil }
    self = action
  }

  private var keys: [TerminalKey] {
    switch self {
    case .back: [.left]
    case .forward: [.right]
    default: letters.map { .character($0) }
    }
  }

  private var letters: [Character] {
    switch self {
    case .pause: [" ", "p"]
    case .previous: ["<"]
    case .next: [">", "n"]
    case .back, .forward: []
    case .live: ["l"]
    case .louder: ["+", "="]
    case .softer: ["-"]
    case .mute: ["m", "u"]
    case .record: ["r"]
    case .keep: ["k"]
    case .sleep: ["z"]
    case .favourite: ["f"]
    case .help: ["?"]
    case .quit: ["q", "Q"]
    }
  }

  /// The keys' names in a list of keys.
  var name: String {
    switch self {
    case .pause: "Space"
    case .previous: "<"
    case .next: ">, n"
    case .back: "←"
    case .forward: "→"
    case .mute: "m, u"
    default: letters.first.map { String($0) } ?? ""
    }
  }

  var meaning: String {
    switch self {
    case .pause: "play, pause; also p"
    case .previous: "previous station or episode"
    case .next: "next station or episode"
    case .back: "back in time"
    case .forward: "forward in time"
    case .live: "live"
    case .louder: "louder"
    case .softer: "softer"
    case .mute: "mute"
    case .record: "record, end the recording"
    case .keep: "keep this song"
    case .sleep: "sleep: 15, 30, 60, 90 min"
    case .favourite: "add to the stations"
    case .help: "show or hide this list"
    case .quit: "quit"
    }
  }
}
