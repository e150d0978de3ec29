import Units

/// The spectrum's bars over time: they rise at once and fall evenly, scaled to the loudest recent level.
///
/// The display's bus is slow: a frame moves the bars with the largest difference, within `busBytes`; the others follow
/// in the next frame.
struct SpectrumBars: Sendable {
  /// Time between frames.
  static let interval = Duration(milliseconds: 90)
  /// Maximum bytes per frame on a PCF8574's bus: fewer than 800 bytes a second.
  static let busBytes = 66

  private(set) var heights: [Int]
  private let rows: Int
  private var levels: [Double]
  /// The heights for the levels; bars that wait for the bus differ.
  private var wanted: [Int]
  private var top = Self.minLoudestLevel
  private var last: MonotonicTime?

  /// The range of a full bar in dB.
  private static let range = 42.0
  /// Minimum of the loudest level, so that quiet passages stay low, in dB.
  private static let minLoudestLevel = -60.0
  private static let topFallPerSecond = 4.0
  private static let fallPerSecond = 1.2

  init(columns: Int, rows: Int) {
    heights = Array(repeating: 0, count: columns)
    levels = Array(repeating: 0, count: columns)
    wanted = heights
    self.rows = rows
  }

  func nextFrame(after now: MonotonicTime) -> MonotonicTime { last.map { max(now, $0 + Self.interval) } ?? now }

  /// Moves the bars towards the current levels if a frame is due.
  mutating func advance(_ bands: [Double], at now: MonotonicTime) {
    guard nextFrame(after: now) <= now else { return }
    let passed = last.map { max(0, min(1, (now - $0).seconds)) } ?? 1
    last = now
    top = max(Self.minLoudestLevel, bands.max() ?? Self.minLoudestLevel, top - Self.topFallPerSecond * passed)
    for column in levels.indices {
      let decibels = bands.indices.contains(column) ? bands[column] : -120
      let level = max(0, min(1, 1 + (decibels - top) / Self.range))
      levels[column] = max(level, levels[column] - Self.fallPerSecond * passed)
      wanted[column] = Int((levels[column] * Double(rows * 8)).rounded())
    }
    move()
  }

  private mutating func move() {
    var waiting = (1 << UInt32(heights.count)) - 1 as UInt32
    var changed = SIMD4<UInt32>()
    while let column = mostDifferent(of: waiting) {
      waiting &= ~(1 << UInt32(column))
      var next = changed
      for row in 0..<rows where Self.fill(heights[column], row) != Self.fill(wanted[column], row) {
        next[row] |= 1 << UInt32(column)
      }
      guard (0..<rows).reduce(0, { $0 + Self.cost(next[$1]) }) <= Self.busBytes else { continue }
      changed = next
      heights[column] = wanted[column]
    }
  }

  /// Returns the column whose bar differs most from its level, of several the first; nil without a difference.
  private func mostDifferent(of columns: UInt32) -> Int? {
    var (found, most): (Int?, Int) = (nil, 0)
    for column in heights.indices where columns & 1 << UInt32(column) != 0 {
      let difference = abs(wanted[column] - heights[column])
      if difference > most { (found, most) = (column, difference) }
    }
    return found
  }

  /// Returns the number of filled lines of a cell, 0 to 8; row 0 is the lowest.
  static func fill(_ height: Int, _ row: Int) -> Int { max(0, min(8, height - row * 8)) }

  /// Returns the bus bytes for the changed cells of a row, one bit each: six for an address, four for a character,
  /// including single unchanged cells in between.
  static func cost(_ row: UInt32) -> Int {
    let next = row & row << 1
    let second = row & row << 2 & ~next
    return 10 * row.nonzeroBitCount - 6 * next.nonzeroBitCount - 2 * second.nonzeroBitCount
  }
}
