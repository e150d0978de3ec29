import Units

/// Seek points counted packet by packet from the file's start, so exact. A full index drops every second point.
struct ExactSeekIndex {
  struct Point: Equatable {
    var byte: Int
    var time: StreamTime
  }

  private(set) var points: [Point] = []
  private var step = StreamTime(seconds: 2)

  static let maxPoints = 2_048

  mutating func insert(_ byte: Int, at time: StreamTime) {
    if let last = points.last, byte <= last.byte || time - last.time < step { return }
    if points.count == Self.maxPoints {
      points = points.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
      step = step + step
    }
    assert(points.last.map { $0.byte < byte && $0.time < time } ?? true, "points go forward")
    points.append(Point(byte: byte, time: time))
  }

  /// Returns the last point at or before `time`.
  func last(before time: StreamTime) -> Point? { points.last { $0.time <= time } }

  func last(beforeByte byte: Int) -> Point? { points.last { $0.byte < byte } }

  func time(at byte: Int) -> StreamTime? { points.first { $0.byte == byte }?.time }
}
