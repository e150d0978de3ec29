import Units

/// The content of a terminal's screen; writes only changed lines.
struct TerminalScreen {
  /// The lines as given, and as shown.
  private var wanted: [String] = []
  private var lines: [String] = []
  private var marked: Int?
  private var columns = 0
  private var rows = 0

  mutating func forget() { columns = 0 }

  /// Returns the bytes that show lines from the top, cut to the screen's size, without control or direction characters
  /// of the lines. `marked`: the index of a line in reverse video.
  mutating func show(_ wanted: [String], marked: Int? = nil, columns: Int, rows: Int) -> String {
    let isNew = columns != self.columns || rows != self.rows
    var bytes = isNew ? "\u{1B}[2J" : ""
    let (old, oldMark) = isNew ? ([], nil) : (lines, self.marked)
    let count = min(wanted.count, max(0, rows))
    let new = (0..<count).map { row in
      row < old.count && wanted[row] == self.wanted[row] ? old[row] : Self.plain(wanted[row], columns)
    }
    for row in 0..<max(new.count, old.count) {
      let line = row < new.count ? new[row] : ""
      let isMarked = row == marked
      guard line != (row < old.count ? old[row] : "") || isMarked != (row == oldMark) else { continue }
      bytes += "\u{1B}["
      bytes += String(row + 1)
      bytes += ";1H"
      bytes += isMarked ? "\u{1B}[7m\(line)\u{1B}[27m" : line
      // Erasing only the rest of the line avoids flicker; a full line has no rest.
      if line.utf8.count < columns || line.count < columns { bytes += "\u{1B}[K" }
    }
    (self.wanted, lines, self.marked) = (wanted, new, marked)
    (self.columns, self.rows) = (columns, rows)
    return bytes
  }

  private static func plain(_ line: String, _ columns: Int) -> String {
    if line.utf8.count <= columns, !line.unicodeScalars.contains(where: \.isUnshowable) { return line }
    var text = String.UnicodeScalarView()
    for scalar in line.unicodeScalars where !scalar.isUnshowable { text.append(scalar) }
    let shown = String(text)
    // A line with few bytes fits, whatever its characters are.
    return shown.utf8.count <= columns ? shown : String(shown.prefix(max(0, columns)))
  }
}
