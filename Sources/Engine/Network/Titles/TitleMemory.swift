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
  private var reported: [StationTitle] = []

  private static let capacity = 16

  /// Returns true if the title differs from the last one, and stores it.
  mutating func insertIfNew(_ title: StationTitle) -> Bool {
    guard title != reported.last else { return false }
    if reported.count == Self.capacity { reported.removeFirst() }
    reported.append(title)
    return true
  }

  func contains(_ title: StationTitle) -> Bool { reported.contains(title) }
}
