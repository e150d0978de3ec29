import RadioEngine

/// A station of the queue as the protocol tells it.
struct Song {
  let station: QueuedStation
  let position: Int
  /// What is known of it; nil unless it is the one that was tuned to last.
  let status: RadioStatus?

  /// The value of a tag.
  subscript(tag: MpdTag) -> String? {
    switch tag {
    case .artist: status?.title?.artist
    case .title: status?.title.flatMap { $0.artist == nil ? Self.filled($0.text) : $0.track }
    case .name: Self.filled(station.name) ?? status?.facts?.name
    case .genre: status?.facts?.genre
    }
  }

  private static func filled(_ text: String) -> String? { text.isEmpty ? nil : text }

  /// Adds its lines to an answer, with the tags that the client asked for.
  func add(to answer: inout ControlAnswer, _ tags: Set<MpdTag>) {
    answer.add("file", station.address)
    for tag in MpdTag.allCases where tags.contains(tag) { answer.add(tag.rawValue, self[tag]) }
    // What is held of a live station grows, and `status` tells it.
    if status?.facts?.isLive == false, let duration = status?.span {
      answer.add("Time", Int(duration.rounded()))
      answer.add(seconds: "duration", duration)
    }
    answer.add("Pos", position)
    answer.add("Id", station.id)
    if station.priority > 0 { answer.add("Prio", station.priority) }
  }
}
