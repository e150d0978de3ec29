/// What the knob does while it is turned: the volume, the time shift, the list of stations.
extension Screen {
  mutating func volume(_ value: Int, isMuted: Bool) {
    let number = "\(value)"
    let width = Self.width(ofDigits: number)
    let share = Double(value) / 100
    if isTall {
      put(.speaker, row: 0, column: 0)
      text(isMuted ? "Muted" : "Volume", row: 0, column: 2)
      digits(number, row: 1, column: (columns - width) / 2)
      bar(share, row: 3, column: 0, width: columns)
    } else {
      let free = columns - width - 1
      text(free < 7 ? (isMuted ? "Mute" : "Vol") : isMuted ? "Muted" : "Volume", row: 0)
      bar(share, row: 1, column: 0, width: free)
      digits(number, row: 0, column: free + 1)
    }
  }

  mutating func timeShift(_ view: PanelView) {
    let isFile = view.position != nil
    let all = isFile ? view.duration ?? 0 : view.heldBehind + view.timeShift
    let isLive = !isFile && view.timeShift < 1
    let here = view.position.map(Duration.clock) ?? (isLive ? "LIVE" : "-" + Duration.clock(view.timeShift))
    let share = isLive ? 1 : all > 0 ? (view.position ?? view.heldBehind) / all : 0
    let whole = Duration.clock(all)
    if isTall {
      put(Self.icon(view), row: 0, column: 0)
      text(isFile ? "Position" : "Time shift", row: 0, column: 2)
      text(here, row: 1, side: .middle)
      bar(share, row: 2, column: 0, width: columns)
      text(isFile ? "of \(whole)" : "\(whole) held", row: 3)
      if !isFile { text("LIVE", row: 3, side: .right) }
    } else {
      text(here, row: 0)
      let right = isLive ? "\(whole) held" : "of \(whole)"
      if here.count + right.count < columns { text(right, row: 0, side: .right) }
      bar(share, row: 1, column: 0, width: isFile ? columns : columns - 5)
      if !isFile { text("LIVE", row: 1, side: .right) }
    }
  }

  /// A list with its numbers, an arrow at the cursor and a note at what plays.
  mutating func list(_ names: [String], current: Int?, cursor: Int) {
    let digits = "\(names.count)".count
    for (row, index) in window(over: names.count, cursor: cursor) {
      let number = "\(index + 1)"
      if index == cursor {
        text("→", row: row)
      } else if index == current {
        put(.note, row: row, column: 0)
      }
      text(number, row: row, column: 1 + digits - number.count)
      let (column, width) = (digits + 2, columns - digits - 2)
      if index == cursor {
        scroll(names[index], row: row, column: column, width: width)
      } else {
        text(names[index], row: row, column: column)
      }
    }
  }

  /// The rows and the entries in them, so that the cursor is seen and, where there is room, one before it.
  func window(over count: Int, cursor: Int) -> [(row: Int, index: Int)] {
    let top = max(0, min(cursor - (isTall ? 1 : 0), count - rows))
    return (0..<min(rows, count)).map { ($0, top + $0) }
  }

  mutating func notice(_ words: String) {
    let row = isTall ? 1 : 0
    if typesetter.cells(words).count > columns {
      scroll(words, row: row, width: columns)
    } else {
      text(words, row: row, side: isTall ? .middle : .left)
    }
  }
}
