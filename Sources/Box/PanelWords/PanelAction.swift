/// The action of a panel button, with its word in board files.
public enum PanelAction: Hashable, Sendable {
  case playPause
  case stop
  case next, previous
  /// A preset by its number, 1 to 9.
  case preset(Int)
  /// Back and forward within the buffer.
  case rewind, forward
  case live
  case volumeUp, volumeDown
  case mute
  /// Changes the mode of the knob.
  case mode
  case menu
  /// The previous or next entry of a list; otherwise the action of the knob's mode.
  case up, down
  /// Chooses the entry at the cursor.
  case select
  case record
  /// Saves the audible song.
  case keep
  /// Cycles between station and title, spectrum, and level.
  case display
  case sleep
  /// Enters or leaves standby.
  case power

  private static let plain: KeyValuePairs<String, PanelAction> = [
    "play_pause": .playPause, "stop": .stop, "next": .next, "previous": .previous, "rewind": .rewind,
    "forward": .forward, "live": .live, "volume_up": .volumeUp, "volume_down": .volumeDown, "mute": .mute,
    "mode": .mode, "menu": .menu, "up": .up, "down": .down, "select": .select, "record": .record, "keep": .keep,
    "display": .display, "sleep": .sleep, "power": .power,
  ]

  /// All words, for messages.
  public static let words: [String] = {
    let words = plain.map(\.key)
    return Array(words.prefix(4)) + (1...9).map { "preset_\($0)" } + Array(words.dropFirst(4))
  }()

  /// Parses a word such as `play_pause` or `preset_3`; nil if unknown.
  public init?(_ word: String) {
    if let action = Self.plain.first(where: { $0.key == word })?.value {
      self = action
    } else if word.hasPrefix("preset_"), let digit = Int(word.dropFirst(7)), word == "preset_\(digit)",
      (1...9).contains(digit)
    {
      self = .preset(digit)
    } else {
      return nil
    }
  }

  /// The word in board files.
  public var word: String {
    if case .preset(let number) = self { return "preset_\(number)" }
    return Self.plain.first { $0.value == self }?.key ?? ""
  }
}

extension PanelAction {
  /// A short description for a list of keys.
  public var meaning: String {
    switch self {
    case .playPause: "play, pause"
    case .stop: "stop"
    case .next: "next station or episode"
    case .previous: "previous station or episode"
    case .preset(let number): "station \(number)"
    case .rewind: "back in time"
    case .forward: "forward in time"
    case .live: "live"
    case .volumeUp: "louder"
    case .volumeDown: "softer"
    case .mute: "mute"
    case .mode: "what the arrows and the knob turn"
    case .menu: "menu"
    case .up: "up in a list, or louder"
    case .down: "down in a list, or softer"
    case .select: "select; the menu"
    case .record: "record, end the recording"
    case .keep: "keep this song"
    case .display: "titles, spectrum or level"
    case .sleep: "sleep timer"
    case .power: "standby"
    }
  }
}
