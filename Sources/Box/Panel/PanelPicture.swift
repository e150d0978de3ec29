/// A frame for a display, and what each of its cells means, for those who read it elsewhere.
public struct PanelPicture: Equatable, Sendable {
  /// What the display is told.
  public var frame: DisplayFrame
  /// The nearest character of Unicode for each cell, row by row; each takes one cell of a terminal.
  public var characters: [Character]

  /// The rows as text, without blanks at their ends.
  public var rows: [String] {
    (0..<frame.rows).map { row in
      var text = characters[row * frame.columns..<(row + 1) * frame.columns]
      while text.last == " " { text.removeLast() }
      return String(text)
    }
  }
}
