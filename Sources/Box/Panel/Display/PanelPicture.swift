/// A frame for a display, with the characters of its cells for other readers.
public struct PanelPicture: Equatable, Sendable {
  /// The frame for the display.
  public var frame: DisplayFrame
  /// The nearest Unicode character of each cell, row by row, each one cell wide on a terminal.
  public var characters: [Character]

  /// The rows as text, without trailing blanks.
  public var rows: [String] {
    (0..<frame.rows).map { row in
      var text = characters[row * frame.columns..<(row + 1) * frame.columns]
      while text.last == " " { text.removeLast() }
      return String(text)
    }
  }
}
