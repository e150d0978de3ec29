/// A picture of the panel as lines of text: the display it is, in a box.
public enum TerminalFrame {
  /// The lines, all as wide as the display and two; a display without light is drawn with a dotted box.
  public static func lines(of picture: PanelPicture) -> [String] {
    lines(around: picture.rows, columns: picture.frame.columns, isLit: picture.frame.isLit)
  }

  /// The same around rows of text, a cell for each scalar, which may lack the blanks at their ends.
  public static func lines(around rows: [String], columns: Int, isLit: Bool) -> [String] {
    let (across, down) = isLit ? ("─", "│") : ("┄", "┆")
    let edge = String(repeating: across, count: columns)
    let inner = rows.map { row in
      let cells = row.unicodeScalars.prefix(columns)
      return down + String(cells) + String(repeating: " ", count: columns - cells.count) + down
    }
    return ["┌\(edge)┐"] + inner + ["└\(edge)┘"]
  }
}
