/// A frame for a display, with the characters of its cells for other readers.
public struct PanelPicture: Equatable, Sendable {
  /// The frame for the display.
  public var frame: DisplayFrame
  /// The nearest Unicode character of each cell, row by row, each one cell wide on a terminal.
  public var characters: [Character]

  /// The rows as text, without trailing blanks.
  public var rows: [String] {
    (0..<frame.rows).map { row in
      let first = row * frame.columns
      var end = first + frame.columns
      while end > first, characters[end - 1] == " " { end -= 1 }
      return self.row(row, 0..<end - first)
    }
  }

  func row(_ row: Int, _ columns: Range<Int>) -> String {
    var text = ""
    text.reserveCapacity(3 * columns.count)
    for column in columns { text.append(characters[row * frame.columns + column]) }
    return text
  }
}
