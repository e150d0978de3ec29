/// The entries of a list in a search: its rows, then an entry to go back.
struct FindEntries {
  enum Entry: Equatable {
    case start(FindList)
    case row(FindRow)
    case back
  }

  static let start: [FindList] = [.nearMe, .popular, .genres, .countries, .letters(after: "")]

  private static let maxRows = 1_000_000

  let list: FindList
  let count: Int
  let cursor: Int
  private let rows: FindRows

  /// Nil while there is nothing to choose.
  init?(_ page: FindPage, _ answer: FindAnswer?) {
    switch answer {
    case .rows(let rows): self.rows = rows
    case .opening?, nil:
      // The first page needs no directory.
      guard page.list == .start else { return nil }
      rows = FindRows()
    case .absent, .fetching, .damaged: return nil
    }
    list = page.list
    let total = page.list == .start ? Self.start.count : max(0, min(rows.total, Self.maxRows))
    count = total + 1
    cursor = max(0, min(page.cursor ?? min(rows.start, max(0, total - 1)), total))
  }

  /// The entry at a position; nil if not loaded.
  subscript(place: Int) -> Entry? {
    if place == count - 1 { return .back }
    if list == .start { return Self.start.indices.contains(place) ? .start(Self.start[place]) : nil }
    return rows.row(at: place).map { .row($0) }
  }

  /// True if the list shows countries because the box's country is unknown.
  var asksCountry: Bool {
    guard list == .nearMe, case .list? = rows.rows.first?.target else { return false }
    return true
  }
}
