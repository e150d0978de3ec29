import RadioEngine

/// A station of the queue as an MPD song.
struct Song {
  let station: QueuedStation
  let position: Int
  /// The radio's status for the station tuned last; otherwise nil.
  let status: RadioStatus?
  /// The name of the fallback that plays instead of the station; otherwise nil.
  var sourceName: String?

  subscript(tag: MpdTag) -> String? {
    switch tag {
    case .artist: status?.title?.artist
    case .title: status?.title.flatMap { $0.artist == nil ? Self.filled($0.text) : $0.track }
    case .name: sourceName ?? Self.filled(station.name) ?? status?.facts?.name
    case .genre: status?.facts?.genre
    }
  }

  private static func filled(_ text: String) -> String? { text.isEmpty ? nil : text }

  func add(to answer: inout ControlAnswer, _ tags: Set<MpdTag>) {
    answer.add("file", station.address)
    for tag in MpdTag.allCases where tags.contains(tag) { answer.add(tag.rawValue, self[tag]) }
    // The duration of a live station changes constantly; `status` reports it.
    if status?.facts?.isLive == false, let duration = status?.span {
      answer.add(["Time": Int(duration.rounded()), "duration": duration])
    }
    answer.add(["Pos": position, "Id": station.id])
    if station.priority > 0 { answer.add("Prio", station.priority) }
  }
}
