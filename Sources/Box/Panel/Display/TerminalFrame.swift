/// The panel as lines of text: the display in a box.
public enum TerminalFrame {
  /// Returns lines, two columns wider than the display; a display without backlight has a dotted box.
  public static func lines(of picture: PanelPicture) -> [String] {
    let frame = picture.frame
    let edges = edges(frame.columns, isLit: frame.isLit)
    return [edges.top] + (0..<frame.rows).map { line(of: picture, row: $0) } + [edges.bottom]
  }

  /// Updates the lines of a picture to the lines of another picture; writes only rows that differ.
  public static func update(_ lines: inout [String], from old: PanelPicture, to picture: PanelPicture) {
    let (before, frame) = (old.frame, picture.frame)
    guard (before.columns, before.rows, before.isLit) == (frame.columns, frame.rows, frame.isLit) else {
      lines = Self.lines(of: picture)
      return
    }
    for row in 0..<frame.rows {
      let cells = row * frame.columns..<(row + 1) * frame.columns
      if cells.contains(where: { old.characters[$0] != picture.characters[$0] }) {
        lines[row + 1] = line(of: picture, row: row)
      }
    }
  }

  private static func line(of picture: PanelPicture, row: Int) -> String {
    let side = side(isLit: picture.frame.isLit)
    let cells = picture.characters[row * picture.frame.columns..<(row + 1) * picture.frame.columns]
    // Appending bytes is cheaper than appending characters.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 * (cells.count + 2))
    bytes.append(contentsOf: side.utf8)
    for cell in cells { bytes.append(contentsOf: cell.utf8) }
    bytes.append(contentsOf: side.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a box around rows of text without trailing blanks. Each scalar is a cell, except a combining mark, which
  /// shares the previous cell.
  public static func lines(around rows: [String], columns: Int, isLit: Bool) -> [String] {
    box(rows.map { cells(of: $0, columns) }, columns: columns, isLit: isLit)
  }

  /// Returns a box around rows of full width.
  private static func box(_ rows: [String], columns: Int, isLit: Bool) -> [String] {
    let (edges, side) = (edges(columns, isLit: isLit), String(side(isLit: isLit)))
    return [edges.top] + rows.map { side + $0 + side } + [edges.bottom]
  }

  private static func side(isLit: Bool) -> Character { isLit ? "│" : "┆" }

  private static func edges(_ columns: Int, isLit: Bool) -> (top: String, bottom: String) {
    let edge = String(repeating: isLit ? "─" : "┄", count: columns)
    return ("┌\(edge)┐", "└\(edge)┘")
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
