import Glibc
import PanelLinux
import Settings

/// Which board the box has, and whether its panel is drawn in a terminal.
enum BoardChoice {
  /// The board that was asked for; in a terminal of a computer without its pins, the panel drawn there.
  static func board(_ launch: LaunchOptions, _ configuration: Configuration) -> Board {
    if let name = launch.board { return board(name, launch.boardFolders) }
    let board = board(configuration.board, launch.boardFolders)
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, BoardPins.isNeeded(by: board),
      !BoardPins.isHere(board)
    else { return board }
    log(.notice, "This computer has no pins for \(configuration.board): the panel is drawn in this terminal.")
    return Self.board("simulated", launch.boardFolders)
  }

  /// A board that cannot be read is a box without knob and display: it plays.
  private static func board(_ name: String, _ folders: [String]) -> Board {
    do throws(SettingsErrors) {
      return try name.contains("/") ? Board(path: name) : Board(named: name, in: folders)
    } catch {
      log(.error, "\(error.description)\nThe radio plays without its panel until that is mended.")
      return Board()
    }
  }

  /// The terminal that a board's panel is drawn in; nil where it has none, or it cannot be had.
  static func terminal(for board: Board) -> TerminalPanel? {
    guard board.inputs.contains(where: { $0.device == "terminal" }) else { return nil }
    do throws(HardwareError) {
      let terminal = try TerminalPanel()
      Log.hold()
      return terminal
    } catch {
      log(.notice, error.description)
      return nil
    }
  }
}
