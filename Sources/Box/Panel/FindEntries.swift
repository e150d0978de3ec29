/// The entries of a list in which a station is sought: its rows, and behind them the one that goes back.
struct FindEntries {
  enum Entry: Equatable {
    /// One of the lists that a search begins with.
    case start(FindList)
    case row(FindRow)
    case back
  }

  static let start: [FindList] = [.nearMe, .popular, .genres, .countries, .letters(after: "")]

  /// What is behind that many rows is not reached.
  private static let most = 1_000_000

  let list: FindList
  /// How many there are.
  let count: Int
  /// Where the cursor stands.
  let cursor: Int
  private let rows: FindRows

  /// Nil while there is nothing to choose from.
  init?(_ page: Find.Page, _ answer: FindAnswer?) {
    switch answer {
    case .rows(let rows): self.rows = rows
    case .opening?, nil:
      // Nobody has to wait before choosing where to begin.
      guard page.list == .start else { return nil }
      rows = FindRows()
    case .absent, .damaged: return nil
    }
    list = page.list
    let total = page.list == .start ? Self.start.count : max(0, min(rows.total, Self.most))
    count = total + 1
    cursor = max(0, min(page.cursor ?? min(rows.start, max(0, total - 1)), total))
  }

  /// The entry at a place; nil where it is not known now.
  subscript(place: Int) -> Entry? {
    if place == count - 1 { return .back }
    if list == .start { return Self.start.indices.contains(place) ? .start(Self.start[place]) : nil }
    return rows.row(at: place).map { .row($0) }
  }

  /// Whether the countries stand there since the box does not know in which it is.
  var asksCountry: Bool {
    guard list == .nearMe, case .list? = rows.rows.first?.target else { return false }
    return true
  }
}
