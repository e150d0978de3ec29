import Units

/// Start times of the links (chained logical streams) of an Ogg file, as far as read; other formats have one link.
struct LinkStarts {
  /// Sorted by byte offset.
  private var links: [Link]

  private struct Link {
    var number: UInt32?
    var byte: Int
    var start: StreamTime
  }

  private static let maxCount = 64

  /// Creates the first link. `start`: the time of its frame 0, negative if the file begins with a later frame.
  init(first number: UInt32?, from start: StreamTime) { links = [Link(number: number, byte: 0, start: start)] }

  func start(of number: UInt32?, at byte: Int) -> StreamTime? {
    links.last { $0.number == number && $0.byte <= byte }?.start
  }

  mutating func insert(_ number: UInt32?, at byte: Int, start: StreamTime) {
    links.removeAll { $0.byte == byte }
    links.insert(Link(number: number, byte: byte, start: start), at: links.firstIndex { $0.byte > byte } ?? links.count)
    if links.count > Self.maxCount { links.remove(at: 1) }
  }
}
