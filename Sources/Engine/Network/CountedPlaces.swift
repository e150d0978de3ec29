import Units

/// Places of a file whose time was counted, packet by packet from its first on: no table is so exact.
///
/// They go forward without a hole; where there are many, they lie further apart.
struct CountedPlaces {
  /// A packet's first byte, and when it sounds.
  struct Place: Equatable {
    var byte: Int
    var time: StreamTime
  }

  private(set) var places: [Place] = []
  private var step = StreamTime(seconds: 2)

  /// So many at most.
  static let most = 2_048

  /// Notes a packet that was counted.
  mutating func note(_ byte: Int, at time: StreamTime) {
    if let last = places.last, byte <= last.byte || time - last.time < step { return }
    if places.count == Self.most {
      places = places.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
      step = step + step
    }
    assert(places.last.map { $0.byte < byte && $0.time < time } ?? true, "places go forward")
    places.append(Place(byte: byte, time: time))
  }

  /// The last one that does not sound after `time`.
  func last(before time: StreamTime) -> Place? { places.last { $0.time <= time } }

  /// The last one before a byte.
  func last(beforeByte byte: Int) -> Place? { places.last { $0.byte < byte } }

  /// When the packet at `byte` sounds, if it is one of them.
  func time(at byte: Int) -> StreamTime? { places.first { $0.byte == byte }?.time }
}
