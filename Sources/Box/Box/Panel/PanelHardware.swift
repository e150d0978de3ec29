import Panel
import PanelLinux
import Settings
import System

/// The devices of the panel: a board's inputs and display, or the terminal that simulates the board.
struct PanelHardware {
  let inputs: PanelInputs
  /// Nil if the board has no display.
  let display: PanelDisplay?
  /// The size that the panel draws, also for a board without a display.
  let columns: Int
  let rows: Int
  let rom: CharacterRom

  /// `watch`: the set for all descriptors (`bk_watch`). `terminal`: nil unless the panel is simulated.
  init(_ board: Board, watch: Int32, terminal: TerminalPanel?, _ clock: Clock) {
    let size = board.display?.size ?? .large
    columns = size.columns
    rows = size.rows
    rom = board.display?.rom == .a02 ? .a02 : .a00
    inputs = PanelInputs(board, watch: watch, terminal: terminal)
    display = PanelDisplay(board, terminal: terminal, clock)
  }
}
