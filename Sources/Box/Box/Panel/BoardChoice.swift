import Glibc
import PanelLinux
import Settings

enum BoardChoice {
  /// Returns the chosen board. If run in a terminal of a computer without the board's pins, returns the simulated
  /// board.
  static func board(_ launch: LaunchOptions, _ configuration: Configuration) -> Board {
    if let name = launch.board { return board(name, launch.boardFolders) }
    let board = board(configuration.board, launch.boardFolders)
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, BoardPins.isNeeded(by: board),
      !BoardPins.isPresent(board)
    else { return board }
    log(.notice, "This computer has no pins for \(configuration.board): the panel is drawn in this terminal.")
    return Self.board("simulated", launch.boardFolders)
  }

  /// Returns an empty board, without knob and display, if the file is unreadable; the radio plays anyway.
  private static func board(_ name: String, _ folders: [String]) -> Board {
    if name.isEmpty { return Board() }
    do throws(SettingsErrors) {
      return try name.contains("/") ? Board(path: name) : Board(named: name, in: folders)
    } catch {
      log(.error, "\(error.description)\nThe radio plays without its panel until this is corrected.")
      return Board()
    }
  }

  /// Returns the terminal of a simulated panel; nil for other boards, or without a terminal.
  static func terminal(for board: Board) -> TerminalPanel? {
    guard board.inputs.contains(where: { $0.device == "terminal" }) else { return nil }
    do throws(HardwareError) {
      let terminal = try TerminalPanel()
      Log.startBuffering()
      return terminal
    } catch {
      log(.notice, error.description)
      return nil
    }
  }
}
