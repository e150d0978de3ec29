import Panel

/// A small station directory for panel tests.
enum SampleDirectory {
  static let stations: [(name: String, isAlive: Bool)] = [
    ("Deutschlandfunk", true), ("Bayern 3", true), ("Radio Bremen Eins in Bremen und umzu", true), ("東京", true),
    ("Ö3 Wien", true), ("Kitchen FM", true), ("Gone FM", false),
  ]
  static let genres = [("pop", 12_345), ("jazz", 711), ("classical and early music", 98), ("เพลง", 3)]
  static let countries = [("AT", "Austria", 512), ("DE", "Germany", 5_034), ("GB", "United Kingdom", 2_010)]
  static let letters: [String: [(String, Int)]] = [
    "": [("1", 40), ("a", 2_100), ("r", 9_000), ("s", 3)], "r": [("a", 7_000), ("e", 12)],
    "ra": [(" ", 25), ("d", 6_000)],
  ]

  /// The box's answer. `country`: the box's own; nil if unknown.
  static func answer(_ request: FindRequest, country: String? = "DE") -> FindAnswer {
    var (rows, start) = (rows(request.list, country), 0)
    switch request.list {
    case .countries: start = countries.firstIndex { $0.0 == country } ?? 0
    case .letters: start = 1
    default: break
    }
    var answer = FindRows()
    (answer.total, answer.start) = (rows.count, start)
    answer.from = max(0, (request.cursor ?? start) - 4)
    rows = Array(rows.dropFirst(answer.from).prefix(9))
    answer.rows = rows
    return .rows(answer)
  }

  private static func rows(_ list: FindList, _ country: String?) -> [FindRow] {
    switch list {
    case .start: []
    case .nearMe where country == nil: rows(.countries, country)
    case .nearMe, .popular, .genre, .country, .names:
      stations.enumerated().map { rank, station in
        var row = FindRow(station.name, .station(rank))
        row.isAlive = station.isAlive
        row.isTuned = rank == 0
        return row
      }
    case .genres: genres.map { FindRow($0.0, .list(.genre($0.0)), count: $0.1) }
    case .countries: countries.map { FindRow($0.1, .list(.country(code: $0.0, name: $0.1)), count: $0.2) }
    case .letters(let beginning):
      (beginning.isEmpty ? [] : [FindRow("", .list(.names(beginning: beginning)), count: 9_000)])
        + (letters[beginning] ?? []).map { letter, count in
          let next = beginning + letter
          return FindRow(letter, .list(count > 20 ? .letters(after: next) : .names(beginning: next)), count: count)
        }
    }
  }
}
