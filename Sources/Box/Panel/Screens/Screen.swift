import Units

/// A frame while it is drawn.
struct Screen {
  struct Line: Equatable {
    var text: String
    var since: MonotonicTime
  }

  enum Side {
    case left, middle, right
  }

  let columns: Int
  let rows: Int
  let typesetter: Typesetter
  let texts: any DisplayTexts
  let now: MonotonicTime
  /// Time between two steps of a scrolling text.
  let pace: Duration
  /// The texts of the previous frame's rows, for the start of their scrolling.
  let before: [Line?]

  private(set) var cells: [Cell]
  private(set) var lines: [Line?]
  private(set) var nextChange = MonotonicTime.never
  var isLit = true

  init(
    columns: Int, rows: Int, typesetter: Typesetter, texts: any DisplayTexts, now: MonotonicTime, pace: Duration,
    before: [Line?]
  ) {
    self.columns = columns
    self.rows = rows
    self.typesetter = typesetter
    self.texts = texts
    self.now = now
    self.pace = pace
    self.before = before
    cells = Array(repeating: .blank, count: columns * rows)
    lines = Array(repeating: nil, count: rows)
  }

  var isTall: Bool { rows == 4 }
  var isWide: Bool { columns == 20 }

  /// Returns the longest form that fits into `width` columns (default: the whole row), else the shortest.
  func form(_ text: FittedText, width: Int? = nil) -> String {
    let width = width ?? columns
    return text.forms.first { typesetter.cells($0).count <= width } ?? text.forms.last ?? ""
  }

  mutating func changes(at moment: MonotonicTime) { nextChange = min(nextChange, moment) }

  mutating func put(_ new: some Collection<Cell>, row: Int, column: Int) {
    guard (0..<rows).contains(row) else { return }
    for (offset, cell) in new.enumerated() where (0..<columns).contains(column + offset) {
      cells[row * columns + column + offset] = cell
    }
  }

  mutating func put(_ glyph: Glyph, row: Int, column: Int) {
    put(typesetter.cell(glyph), row: row, column: column)
  }

  mutating func put(_ cell: Cell, row: Int, column: Int) {
    guard (0..<rows).contains(row), (0..<columns).contains(column) else { return }
    cells[row * columns + column] = cell
  }

  mutating func text(_ text: String, row: Int, column: Int = 0, side: Side = .left) {
    let set = typesetter.cells(text).prefix(max(0, columns - column))
    let free = columns - column - set.count
    let indent =
      switch side {
      case .left: 0
      case .middle: free / 2
      case .right: free
      }
    put(set, row: row, column: column + indent)
  }

  mutating func text(fitting text: FittedText, row: Int, column: Int = 0, side: Side = .left) {
    self.text(form(text, width: columns - column), row: row, column: column, side: side)
  }

  mutating func scroll(_ text: String, row: Int, column: Int = 0, width: Int) {
    let set = typesetter.cells(text)
    let scroller = Scroller(length: set.count, width: width, start: since(text, row: row), pace: pace)
    changes(at: scroller.nextChange(after: now))
    put(set.dropFirst(scroller.offset(at: now)).prefix(width), row: row, column: column)
  }

  mutating func since(_ text: String, row: Int) -> MonotonicTime {
    let line = before[row].flatMap { $0.text == text ? $0 : nil } ?? Line(text: text, since: now)
    lines[row] = line
    return line.since
  }

  mutating func bar(_ fraction: Double, row: Int, column: Int, width: Int) {
    let dots = Self.steps(fraction, of: width * 5)
    let rest = typesetter.cell(.dot)
    for cell in 0..<width {
      let filled = dots - cell * 5
      if filled >= 5 {
        put(.full, row: row, column: column + cell)
      } else if filled > 0 {
        put(Glyph.columns[filled - 1], row: row, column: column + cell)
      } else {
        put(rest, row: row, column: column + cell)
      }
    }
  }

  /// Returns the number of filled steps for a fraction; 0 for an unknown fraction.
  static func steps(_ fraction: Double, of count: Int) -> Int {
    fraction.isNaN ? 0 : Int((max(0, min(1, fraction)) * Double(count)).rounded())
  }

  /// Writes the start of a text, or scrolls the text.
  mutating func entry(_ text: String, scrolls: Bool = false, row: Int, column: Int, width: Int) {
    if scrolls { return scroll(text, row: row, column: column, width: width) }
    put(typesetter.cells(text).prefix(max(0, width)), row: row, column: column)
  }

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
      entry(names[index], scrolls: index == cursor, row: row, column: column, width: width)
    }
  }

  /// Returns rows and entries, such that the cursor is visible and, if possible, the entry before it.
  func window(over count: Int, cursor: Int) -> [(row: Int, index: Int)] {
    let top = max(0, min(cursor - (isTall ? 1 : 0), count - rows))
    return (0..<min(rows, count)).map { ($0, top + $0) }
  }
}
