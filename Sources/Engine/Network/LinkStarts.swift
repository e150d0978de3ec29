import Units

/// When the links of a file of Ogg begin, as far as they were read; a file of another form is one link. A value.
struct LinkStarts {
  /// Sorted by where they begin.
  private var links: [Link]

  private struct Link {
    /// The number of its logical stream.
    var number: UInt32?
    var byte: Int
    var start: StreamTime
  }

  /// As many as the headers of links are kept, and more.
  private static let most = 64

  /// A file whose first link has that number, and its frame 0 at `start`: before the file, if that begins with a later
  /// one.
  init(first number: UInt32?, from start: StreamTime) { links = [Link(number: number, byte: 0, start: start)] }

  /// When the link of that number began in which `byte` lies; nil where that is not known.
  func start(of number: UInt32?, at byte: Int) -> StreamTime? {
    links.last { $0.number == number && $0.byte <= byte }?.start
  }

  /// A link begins at a byte and a time.
  mutating func note(_ number: UInt32?, at byte: Int, start: StreamTime) {
    links.removeAll { $0.byte == byte }
    links.insert(Link(number: number, byte: byte, start: start), at: links.firstIndex { $0.byte > byte } ?? links.count)
    if links.count > Self.most { links.remove(at: 1) }
  }
}
