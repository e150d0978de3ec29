extension Screen {
  /// Upper and lower row of each digit: full, upper, lower, both (`#`, `"`, `_`, `=`) or blank.
  private static let figures = [
    ("#\"#", "#_#"), ("\"# ", "_#_"), ("==#", "#__"), ("==#", "__#"), ("#_#", "  #"),
    ("#==", "__#"), ("#==", "#_#"), ("\"\"#", "  #"), ("#=#", "#_#"), ("#=#", "__#"),
  ]

  static func width(ofDigits text: String) -> Int { max(0, text.count * 4 - 1) }

  mutating func digits(_ text: String, row: Int, column: Int) {
    for (place, character) in text.enumerated() {
      guard let value = character.wholeNumberValue, Self.figures.indices.contains(value) else { continue }
      let figure = Self.figures[value]
      for (line, pattern) in [figure.0, figure.1].enumerated() {
        put(pattern.map(cell), row: row + line, column: column + place * 4)
      }
    }
  }

  /// Draws the time over the whole width, with one or three columns between hours and minutes.
  mutating func bigClock(_ clock: WallClock, row: Int) {
    let minutes = (clock.minute < 10 ? "0" : "") + "\(clock.minute)"
    let hours = (clock.hour < 10 ? " " : "") + "\(clock.hour)"
    let gap = isWide ? 3 : 1
    let start = (columns - 14 - gap) / 2
    digits(hours, row: row, column: start)
    for line in 0..<2 { put(typesetter.cells("·"), row: row + line, column: start + 7 + gap / 2) }
    digits(minutes, row: row, column: start + 7 + gap)
  }

  private func cell(_ dots: Character) -> Cell {
    switch dots {
    case "#": typesetter.cell(.full)
    case "\"": typesetter.cell(.upper)
    case "_": typesetter.cell(.lower)
    case "=": typesetter.cell(.both)
    default: .blank
    }
  }
}
