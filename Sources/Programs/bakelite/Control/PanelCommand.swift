import ArgumentParser
import CLinux
import Control
import Framing
import Panel
import PanelLinux
import PanelWords
import Settings

struct PanelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "panel",
    abstract: "Show the panel of a running radio in this terminal.",
    discussion: "Keys (? shows them too):\n\n" + PanelKey.list.joined(separator: "\n"))

  @Option("Use the radio at this socket.", value: "socket", completion: .file())
  var socket = InstalledPaths.socket

  private static let hint = ["? lists the keys, q quits"]

  /// Milliseconds between two reads of the display.
  private static let interval: Int32 = 100

  func run() throws {
    do {
      let radio = try ControlConnection(socket)
      // A radio without a panel is reported before the terminal changes.
      var (picture, below) = (try Self.picture(of: radio), Self.hint)
      // Ctrl-C leaves like "q", which restores the terminal.
      let terminal = try Interrupts.catchAfter { try TerminalPanel() }
      while !Interrupts.isAsked {
        terminal.draw(picture + [""] + below)
        _ = bk_wait_readable(terminal.descriptor, Self.interval)
        while let key = try terminal.next() {
          if key == .character("q") { return }
          if key == .character("?") { below = below == Self.hint ? PanelKey.list : Self.hint }
          if let known = PanelKey.all.first(where: { $0.key == key }) { try Self.send(known.command, to: radio) }
        }
        picture = try Self.picture(of: radio)
      }
      terminal.restore()
    } catch {
      TerminalPanel.restore()
      throw failure(.failed, DisplayText.line("\(error)"))
    }
  }

  private static func picture(of radio: ControlConnection) throws -> [String] {
    let answer = CtlAnswer(try radio.ask(["radio_display"]))
    let rows = (1...4).compactMap { answer["row_\($0)"] }
    // The server at the socket is not trusted.
    let columns = answer["columns"].flatMap { Int($0) }.map { max(1, min($0, 80)) } ?? 20
    return TerminalFrame.lines(around: rows, columns: columns, isLit: answer["lit"] == "1")
  }

  /// Sends a command; the radio's display shows a refusal.
  private static func send(_ command: [String], to radio: ControlConnection) throws(ControlConnection.Failure) {
    do throws(ControlConnection.Failure) {
      _ = try radio.ask(command)
    } catch {
      guard case .refused = error else { throw error }
    }
  }
}

private struct PanelKey {
  let key: TerminalKey
  /// The action's name in the list; nil if another key lists it.
  let name: String?
  let command: [String]
  let meaning: String

  private init(_ key: TerminalKey, _ name: String?, _ action: PanelAction, _ meaning: String? = nil) {
    self.key = key
    self.name = name
    command = ["radio_press", action.word]
    self.meaning = meaning ?? action.meaning
  }

  private init(turning key: Character, by clicks: Int, _ meaning: String) {
    self.key = .character(key)
    name = String(key)
    command = ["radio_turn", "\(clicks)"]
    self.meaning = meaning
  }

  private init(_ key: Character, _ action: PanelAction) { self.init(.character(key), String(key), action) }

  static let all: [PanelKey] = letters + presets

  private static let presets: [PanelKey] = "123456789".enumerated().map { place, digit in
    PanelKey(.character(digit), place == 0 ? "1 … 9" : nil, .preset(place + 1), "a station by its number")
  }

  private static let letters: [PanelKey] = [
    PanelKey(.up, "↑", .up), PanelKey(.down, "↓", .down), PanelKey(.enter, "Enter", .select),
    PanelKey(.tab, "Tab", .mode), PanelKey(turning: "<", by: -1, "turn the knob left"),
    PanelKey(turning: ">", by: 1, "turn the knob right"), PanelKey(.character(" "), "Space", .playPause),
    PanelKey("s", .stop), PanelKey("n", .next), PanelKey("p", .previous), PanelKey(.left, "←", .rewind),
    PanelKey(.right, "→", .forward), PanelKey("l", .live), PanelKey("+", .volumeUp), PanelKey("-", .volumeDown),
    PanelKey("u", .mute), PanelKey("m", .menu), PanelKey("r", .record), PanelKey("k", .keep),
    PanelKey("d", .display), PanelKey("z", .sleep), PanelKey("o", .power),
  ]

  static let list: [String] = {
    var keys: [(name: String, meaning: String)] = []
    for key in all { if let name = key.name { keys.append((name, key.meaning)) } }
    return TerminalFrame.keys(keys + [("?", "show or hide this list"), ("q", "quit")])
  }()
}
