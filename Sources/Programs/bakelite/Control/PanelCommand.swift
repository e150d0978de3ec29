import ArgumentParser
import CLinux
import Control
import Framing
import Panel
import PanelLinux
import Settings

struct PanelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "panel",
    abstract: "Show the panel of a running radio in this terminal.",
    discussion: """
      A radio of `bakelite play --control` has no display; its state is shown instead. Keys (? shows them too):

      \(PanelKey.list.joined(separator: "\n"))
      """)

  @Option("Use the radio at this socket.", value: "socket", completion: .file())
  var socket = InstalledPaths.socket

  private static let hint = ["? lists the keys, q quits"]

  /// Milliseconds between two reads of the display.
  private static let interval: Int32 = 100

  /// The number of pictures with a message.
  private static let messagePictures = 40

  func run() throws {
    do {
      let radio = try Self.radio(ControlConnection(socket))
      // A radio without a picture is reported before the terminal changes.
      var (picture, below) = (try radio.picture(), Self.hint)
      var (message, pictures) = ("", 0)
      // Ctrl-C leaves like "q", which restores the terminal.
      let terminal = try Interrupts.catchAfter { try TerminalPanel() }
      while !Interrupts.isAsked {
        terminal.draw(picture + [pictures > 0 ? message : ""] + below)
        _ = bk_wait_readable(terminal.descriptor, Self.interval)
        pictures = max(0, pictures - 1)
        while let key = try terminal.next() {
          guard let known = PanelKey(key) else { continue }
          if known.shared == .quit {
            terminal.restore()
            return Self.end(radio)
          }
          if known.shared == .help {
            below = below == Self.hint ? PanelKey.list : Self.hint
          } else {
            // A key also removes the message of the previous key.
            message = try radio.apply(known) ?? ""
            pictures = message.isEmpty ? 0 : Self.messagePictures
          }
        }
        if let words = radio.report() { (message, pictures) = (words, Self.messagePictures) }
        picture = try radio.picture()
      }
      terminal.restore()
      Self.end(radio)
    } catch {
      TerminalPanel.restore()
      throw failure(.failed, DisplayText.line("\(error)"))
    }
  }

  private static func end(_ radio: any PanelRadio) { if let words = radio.finish() { printNote(words) } }

  /// Returns a box, or a radio of `play` if the command for the display is unknown.
  private static func radio(_ connection: ControlConnection) throws(ControlConnection.Failure) -> any PanelRadio {
    do throws(ControlConnection.Failure) {
      _ = try connection.ask(["radio_display"])
      return BoxPanel(connection: connection)
    } catch {
      guard case .refused(code: 5, message: _) = error else { throw error }
      return PlayerPanel(connection: connection)
    }
  }
}
