import PanelLinux
import Settings
import Testing

@testable import Box

/// The keys of a terminal that shows a board's panel.
@Suite struct TerminalKeyTests {
  private static let text = """
    title = "x"
    [buttons]
    play = { press = "play_pause", long = "stop" }
    stop = { press = "stop" }
    silent = { long = "mute" }
    preset_1 = { press = "preset_1" }
    preset_2 = { press = "preset_2" }
    preset_3 = { press = "preset_3" }
    [encoders]
    knob = { mode = "tune" }
    [inputs.keyboard]
    device = "terminal"
    [inputs.keyboard.keys]
    space = "play"
    s = "stop"
    1 = "preset_1"
    2 = "preset_2"
    3 = "preset_3"
    ">" = "knob+"
    "<" = "knob-"
    x = "silent"
    """

  /// Returns the list's lines for some keys, without repeated blanks.
  private static func lines(_ keys: String) throws -> [String] {
    let board = try Board(Array(text.utf8), file: "x.toml")
    let list = TerminalKeyList(board, board.inputs[0].keys.filter { keys.contains($0.key) })
    return list.lines.map { $0.split(separator: " ").joined(separator: " ") }
  }

  @Test("Keys are listed by action, knob first, presets together, the list's own key last")
  func list() throws {
    #expect(
      try Self.lines("space s 1 2 3 < > x") == [
        "< the knob, to the left s stop", "> the knob, to the right 1 … 3 a station by its number",
        "Space play, pause ? this list, or not",
      ])
  }

  @Test("A single preset has its key, and without keys only the list's remains")
  func few() throws {
    #expect(try Self.lines("2") == ["2 a station by its number ? this list, or not"])
    #expect(try Self.lines("") == ["? this list, or not"])
  }

  @Test("Terminal keys have their names of board files; one with Ctrl has none")
  func names() {
    let named: [(TerminalKey, String?)] = [
      (.up, "up"), (.pageDown, "page_down"), (.character(" ", isControl: false), "space"),
      (.character("é", isControl: false), "é"), (.character("c", isControl: true), nil),
    ]
    for (key, name) in named { #expect(key.word == name) }
  }
}
