import Units

/// The spectrum's bars, from frame to frame: they rise at once and fall evenly, and the loudest of late is nearly full.
///
/// A display's bus carries few characters: a frame moves the bars that are farthest from where they belong, as many as
/// `busBytes` pay for, and the others move in the next.
struct SpectrumBars: Sendable {
  /// From frame to frame.
  static let interval = Duration(milliseconds: 90)
  /// What a frame may take of a PCF8574's bus: less than 800 bytes a second.
  static let busBytes = 66

  /// How high each bar is shown, in dots.
  private(set) var heights: [Int]
  private let rows: Int
  private var levels: [Double]
  private var top = Self.quietest
  private var last: MonotonicTime?

  /// What a bar's height is worth, in dB.
  private static let range = 42.0
  /// Nothing below is drawn over the whole height, however quiet all is.
  private static let quietest = -60.0
  private static let topFallPerSecond = 4.0
  private static let fallPerSecond = 1.2

  /// Bars over so many columns and rows, all down.
  init(columns: Int, rows: Int) {
    heights = Array(repeating: 0, count: columns)
    levels = Array(repeating: 0, count: columns)
    self.rows = rows
  }

  /// When the next frame is due.
  func nextFrame(after now: MonotonicTime) -> MonotonicTime { last.map { max(now, $0 + Self.interval) } ?? now }

  /// Moves the bars towards what is heard, where a frame is due.
  mutating func advance(_ bands: [Double], at now: MonotonicTime) {
    guard nextFrame(after: now) <= now else { return }
    let passed = last.map { max(0, min(1, (now - $0).seconds)) } ?? 1
    last = now
    top = max(Self.quietest, bands.max() ?? Self.quietest, top - Self.topFallPerSecond * passed)
    for column in levels.indices {
      let decibels = bands.indices.contains(column) ? bands[column] : -120
      let level = max(0, min(1, 1 + (decibels - top) / Self.range))
      levels[column] = max(level, levels[column] - Self.fallPerSecond * passed)
    }
    move()
  }

  private mutating func move() {
    let wanted = levels.map { Int(($0 * Double(rows * 8)).rounded()) }
    let columns = heights.indices.filter { wanted[$0] != heights[$0] }
      .sorted { abs(wanted[$0] - heights[$0]) > abs(wanted[$1] - heights[$1]) }
    var changed: [[Bool]] = Array(repeating: Array(repeating: false, count: heights.count), count: rows)
    for column in columns {
      let before = changed
      for row in 0..<rows where Self.fill(heights[column], row) != Self.fill(wanted[column], row) {
        changed[row][column] = true
      }
      if changed.reduce(0, { $0 + Self.cost($1) }) > Self.busBytes {
        changed = before
      } else {
        heights[column] = wanted[column]
      }
    }
  }

  /// How many of a cell's eight lines a bar fills; row 0 is the lowest.
  static func fill(_ height: Int, _ row: Int) -> Int { max(0, min(8, height - row * 8)) }

  /// The bus's bytes for the cells of a row that change: to go to an address takes six, a character four, and so does
  /// one that stays between two that change.
  static func cost(_ row: [Bool]) -> Int {
    var cost = 0
    var last: Int?
    for (column, changes) in row.enumerated() where changes {
      let gap = last.map { column - $0 } ?? .max
      cost += gap == 1 ? 4 : gap == 2 ? 8 : 10
      last = column
    }
    return cost
  }
}
