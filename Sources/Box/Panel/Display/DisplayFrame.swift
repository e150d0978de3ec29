/// The complete content of a character display: cells and the shapes of eight custom characters.
///
/// A cell is a code of the display's ROM, or 0 to 7 for a custom character.
public struct DisplayFrame: Equatable, Sendable {
  /// Columns, 16 or 20.
  public let columns: Int
  /// Rows, 2 or 4.
  public let rows: Int
  /// The codes, row by row.
  public var cells: [UInt8]
  /// Eight shapes of eight lines each, from the top; the five low bits of a line count, leftmost highest.
  public var glyphs: [UInt8]
  /// True if the backlight is on.
  public var isLit = true

  /// Creates a blank frame.
  public init(columns: Int, rows: Int) {
    precondition((rows == 2 || rows == 4) && (columns == 16 || columns == 20), "a display has 16×2 or 20×4 characters")
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: 0x20, count: columns * rows)
    glyphs = Array(repeating: 0, count: 64)
  }
}
