/// What a button of the panel is for, by the words of a board file.
public enum PanelAction: Hashable, Sendable {
  /// Plays, or pauses what plays.
  case playPause
  /// Stops.
  case stop
  /// The station after this one, and the one before.
  case next, previous
  /// A station by its number, 1 to 9.
  case preset(Int)
  /// Back and forth within what is held.
  case rewind, forward
  /// To what is on the air now.
  case live
  /// A step louder or softer.
  case volumeUp, volumeDown
  /// Silence, and sound again.
  case mute
  /// What the knob turns.
  case mode
  /// Opens and leaves the menu.
  case menu
  /// What stands before or after this in a list; louder or softer, on or back, where the knob turns that.
  case up, down
  /// Takes what the display points at.
  case select
  /// Records what comes.
  case record
  /// Keeps the song that is heard.
  case keep
  /// Shows station and title, the spectrum, or the level, by turns.
  case display
  /// Stops after a while.
  case sleep
  /// To standby and back.
  case power

  private static let plain: KeyValuePairs<String, PanelAction> = [
    "play_pause": .playPause, "stop": .stop, "next": .next, "previous": .previous, "rewind": .rewind,
    "forward": .forward, "live": .live, "volume_up": .volumeUp, "volume_down": .volumeDown, "mute": .mute,
    "mode": .mode, "menu": .menu, "up": .up, "down": .down, "select": .select, "record": .record, "keep": .keep,
    "display": .display, "sleep": .sleep, "power": .power,
  ]

  /// The words of all of them, as a person reads them.
  public static let words: [String] = {
    let words = plain.map(\.key)
    return Array(words.prefix(4)) + (1...9).map { "preset_\($0)" } + Array(words.dropFirst(4))
  }()

  /// The action that a word names, such as `play_pause` or `preset_3`; nil when it names none.
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

  /// Its word.
  public var word: String {
    if case .preset(let number) = self { return "preset_\(number)" }
    return Self.plain.first { $0.value == self }?.key ?? ""
  }
}

extension PanelAction {
  /// What it does, in a few words for a list of keys.
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
