import Units

/// The reports of a file's start and length. A value.
struct FileAnnouncement {
  enum Report: Equatable {
    /// The file starts, with its duration if known, and its position after another file.
    case begins(StreamTime?, FilePlace?)
    case length(StreamTime)
  }

  /// True after the report of the start.
  private(set) var isMade = false
  private var length: StreamTime?

  mutating func begin(_ length: StreamTime?, shown: StreamTime?, at place: FilePlace?) -> Report {
    (isMade, self.length) = (true, length)
    return .begins(shown, place)
  }

  /// Returns the report of a length that differs by more than 1 %; nil for other lengths.
  mutating func update(_ length: StreamTime?) -> Report? {
    guard let length, self.length.map({ abs(length.ticks - $0.ticks) > $0.ticks / 100 }) ?? true else { return nil }
    self.length = length
    return .length(length)
  }

  /// Returns the notice of a better length; nil before the report of the start.
  mutating func improve(_ length: StreamTime?) -> NetNotice? {
    guard isMade, let length else { return nil }
    self.length = length
    return .length(length)
  }
}
