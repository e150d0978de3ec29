import Units

/// The titles that came and the moment of the programme that each begins at, until they are heard.
struct TitleLog {
  private var waiting: [(title: Title, at: StreamTime)] = []
  /// The title that is heard.
  private(set) var current: Title?

  /// More are never kept: a station that sends more titles than sound is no station.
  private static let most = 512

  mutating func append(_ title: Title, at: StreamTime) {
    if waiting.count == Self.most { waiting.removeFirst() }
    waiting.append((title, at))
  }

  /// When the next title begins; nil where none waits.
  var next: StreamTime? { waiting.first?.at }

  /// The titles that begin up to `moment` and were not given before.
  mutating func heard(at moment: StreamTime) -> [(title: Title, at: StreamTime)] {
    let count = waiting.prefix { $0.at <= moment }.count
    guard count > 0 else { return [] }
    let heard = Array(waiting.prefix(count))
    waiting.removeFirst(count)
    current = heard.last?.title
    return heard
  }
}
