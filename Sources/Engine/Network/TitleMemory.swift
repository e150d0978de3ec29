import Framing

/// A title as it came.
struct StationTitle: Equatable {
  var text: String
  var url: String?
}

extension StationTitle {
  /// The title that tags tell, with who plays; empty where they tell none.
  init(_ tags: StreamTags) {
    self.init(text: tags.title.map { title in (tags.artist.map { $0 + " - " } ?? "") + title } ?? "")
  }
}

/// The titles told last, so that none is told twice.
struct TitleMemory {
  private var told: [StationTitle] = []

  private static let capacity = 16

  /// Whether a title is not the last one again; it is the last one from now on.
  mutating func isNew(_ title: StationTitle) -> Bool {
    guard title != told.last else { return false }
    if told.count == Self.capacity { told.removeFirst() }
    told.append(title)
    return true
  }

  /// Whether it was told not long ago.
  func knows(_ title: StationTitle) -> Bool { told.contains(title) }
}
