import ArgumentParser
import CLinux
import Control
import Panel
import PanelLinux

/// `bakelite panel`: a running radio's display, knob and buttons in this terminal.
struct PanelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "panel",
    abstract: "Show the panel of a running radio in this terminal.",
    discussion: help.joined(separator: "\n"))

  @Option(help: "The radio's socket.")
  var socket = "/run/bakelite/socket"

  private static let help = [
    "up, down   turn the knob     enter  press it        tab   what it turns",
    "space      play, pause       left, right  through time    l  live",
    "n, p       next, previous    1-9    presets         s     stop",
    "+, -       volume            u      mute            m     menu",
    "z          sleep             o      standby         q     leave",
  ]

  /// So often the display is read, in milliseconds.
  private static let interval: Int32 = 100

  func run() throws {
    do {
      let radio = try ControlConnection(socket)
      // Where there is no panel, that is said before the terminal is taken.
      var picture = try Self.picture(of: radio)
      // Ctrl-C leaves as "q" does, so that the terminal is as it was.
      let terminal = try Interrupts.catchAfter { try TerminalPanel() }
      while !Interrupts.isAsked {
        terminal.draw(picture + [""] + Self.help)
        _ = bk_wait_readable(terminal.descriptor, Self.interval)
        while let key = try terminal.next() {
          if key == .character("q") { return }
          if let command = Self.command(for: key) { try Self.send(command, to: radio) }
        }
        picture = try Self.picture(of: radio)
      }
      terminal.restore()
    } catch {
      TerminalPanel.restore()
      say("bakelite panel: \(error)")
      throw Outcome.failed.exitCode
    }
  }

  private static func picture(of radio: ControlConnection) throws -> [String] {
    let answer = CtlAnswer(try radio.ask(["radio_display"]))
    let rows = (1...4).compactMap { answer["row_\($0)"] }
    return TerminalFrame.lines(
      around: rows, columns: answer["columns"].flatMap { Int($0) } ?? 20, isLit: answer["lit"] == "1")
  }

  /// What the radio refuses, its display tells.
  private static func send(_ command: [String], to radio: ControlConnection) throws(ControlConnection.Failure) {
    do throws(ControlConnection.Failure) {
      _ = try radio.ask(command)
    } catch {
      guard case .refused = error else { throw error }
    }
  }

  private static func command(for key: TerminalKey) -> [String]? {
    switch key {
    case .up: ["radio_turn", "-1"]
    case .down: ["radio_turn", "1"]
    case .character(let character, false) where ("1"..."9").contains(character):
      ["radio_press", "preset_\(character)"]
    default: actions[key].map { ["radio_press", $0.word] }
    }
  }

  private static let actions: [TerminalKey: PanelAction] = [
    .enter: .select, .tab: .mode, .left: .rewind, .right: .forward, .character(" "): .playPause,
    .character("l"): .live, .character("s"): .stop, .character("n"): .next, .character("p"): .previous,
    .character("+"): .volumeUp, .character("-"): .volumeDown, .character("u"): .mute, .character("m"): .menu,
    .character("r"): .record, .character("k"): .keep, .character("z"): .sleep, .character("o"): .power,
  ]
}
