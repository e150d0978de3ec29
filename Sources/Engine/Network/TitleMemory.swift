import Framing

struct StationTitle: Equatable {
  var text: String
  var url: String?
}

extension StationTitle {
  init(_ tags: StreamTags) {
    self.init(text: tags.title.map { title in (tags.artist.map { $0 + " - " } ?? "") + title } ?? "")
  }
}

struct TitleMemory {
  private var told: [StationTitle] = []

  private static let capacity = 16

  /// Returns true if the title differs from the last one, and stores it.
  mutating func isNew(_ title: StationTitle) -> Bool {
    guard title != told.last else { return false }
    if told.count == Self.capacity { told.removeFirst() }
    told.append(title)
    return true
  }

  func knows(_ title: StationTitle) -> Bool { told.contains(title) }
}
