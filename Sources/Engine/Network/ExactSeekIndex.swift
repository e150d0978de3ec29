import Units

/// Points of a file whose time was counted, packet by packet from its first on: no table is so exact.
///
/// They go forward without a hole; where there are many, they lie further apart.
struct ExactSeekIndex {
  /// A packet's first byte, and when it sounds.
  struct Point: Equatable {
    var byte: Int
    var time: StreamTime
  }

  private(set) var points: [Point] = []
  private var step = StreamTime(seconds: 2)

  /// So many at most.
  static let most = 2_048

  /// Notes a packet that was counted.
  mutating func note(_ byte: Int, at time: StreamTime) {
    if let last = points.last, byte <= last.byte || time - last.time < step { return }
    if points.count == Self.most {
      points = points.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
      step = step + step
    }
    assert(points.last.map { $0.byte < byte && $0.time < time } ?? true, "points go forward")
    points.append(Point(byte: byte, time: time))
  }

  /// The last one that does not sound after `time`.
  func last(before time: StreamTime) -> Point? { points.last { $0.time <= time } }

  /// The last one before a byte.
  func last(beforeByte byte: Int) -> Point? { points.last { $0.byte < byte } }

  /// When the packet at `byte` sounds, if it is one of them.
  func time(at byte: Int) -> StreamTime? { points.first { $0.byte == byte }?.time }
}
