/// The panel as lines of text: the display in a box.
public enum TerminalFrame {
  /// Returns lines, two columns wider than the display; a display without backlight has a dotted box.
  public static func lines(of picture: PanelPicture) -> [String] {
    let columns = picture.frame.columns
    return box(
      (0..<picture.frame.rows).map { picture.row($0, 0..<columns) }, columns: columns, isLit: picture.frame.isLit)
  }

  /// Returns a box around rows of text without trailing blanks. Each scalar is a cell, except a combining mark, which
  /// shares the previous cell.
  public static func lines(around rows: [String], columns: Int, isLit: Bool) -> [String] {
    box(rows.map { cells(of: $0, columns) }, columns: columns, isLit: isLit)
  }

  /// Returns a box around rows of full width.
  private static func box(_ rows: [String], columns: Int, isLit: Bool) -> [String] {
    let (across, down) = isLit ? ("─", "│") : ("┄", "┆")
    let edge = String(repeating: across, count: columns)
    return ["┌\(edge)┐"] + rows.map { down + $0 + down } + ["└\(edge)┘"]
  }

  private static func cells(of row: String, _ columns: Int) -> String {
    if row.utf8.count <= columns, row.utf8.allSatisfy({ $0 < 0x80 }) {
      return row + String(repeating: " ", count: columns - row.utf8.count)
    }
    var (text, count) = (String.UnicodeScalarView(), 0)
    for scalar in row.unicodeScalars {
      // Not by `Character`: the voicing marks of half-width kana (U+FF9E, U+FF9F) have cells of their own.
      let isMark = [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
      if !isMark { count += 1 }
      if count > columns { break }
      text.append(scalar)
    }
    return String(text) + String(repeating: " ", count: max(0, columns - count))
  }

  /// The keys and their meanings, in two columns, as lines below the display.
  public static func keys(_ keys: [(name: String, meaning: String)]) -> [String] {
    let half = (keys.count + 1) / 2
    let entries = keys.map { key in
      padded(key.name, (keys.map(\.name.count).max() ?? 0) + 2) + key.meaning
    }
    let width = (entries.prefix(half).map(\.count).max() ?? 0) + 2
    return (0..<half).map { row in
      row + half < keys.count ? padded(entries[row], width) + entries[row + half] : entries[row]
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
