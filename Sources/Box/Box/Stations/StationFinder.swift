import Control
import Directory
import Panel
import Settings
import System
import Units

/// Serves the panel's requests to the station directory. Control thread only.
final class StationFinder {
  private enum Content {
    case rows([FindRow], start: Int)
    case ranks([Int])
    /// The stations of a query; each request reads only its window.
    case stations(DirectoryQuery)
  }

  /// Maximum number of stations for which a letter leads to their names; above it, a letter leads to further letters.
  private static let maxNameCount = 100
  private static let maxGenreCount = 400
  private static let maxListCount = 16

  private let keeper: DirectoryKeeper
  let updates: UpdateKeeper
  private let countryOfZone: (String) -> String?
  private var zone: String
  /// The code of the box's own country; inner nil if unknown, outer nil before the search.
  private var code: String??
  private var contents: [FindList: Content] = [:]
  private var edition = 0
  private var directory: StationDirectory?

  /// Creates a finder for the configured directory. `wake` receives a descriptor that is readable when the directory's
  /// state changes.
  convenience init(_ settings: Configuration, _ clock: Clock, wake: @escaping (Int32) -> Void) {
    let keeper = DirectoryKeeper(path: settings.directory.path, clock, wake: wake)
    self.init(keeper, UpdateKeeper { keeper.path }, zone: settings.timezone)
  }

  /// Creates a finder for the directory of a keeper. `country`: returns the country code of a time zone.
  init(
    _ keeper: DirectoryKeeper, _ updates: UpdateKeeper? = nil, zone: String,
    country: @escaping (String) -> String? = { TimeZoneCountry().code(of: $0) }
  ) {
    (self.keeper, self.zone) = (keeper, zone)
    countryOfZone = country
    self.updates = updates ?? UpdateKeeper(folder: nil) { keeper.path }
  }

  func use(_ settings: Configuration) {
    keeper.use(path: settings.directory.path)
    guard settings.timezone != zone else { return }
    (zone, code) = (settings.timezone, nil)
    contents = [:]
  }

  /// Returns the rows for a request; nil without a request. Without requests, closes the directory after 5 min.
  func answer(_ request: FindRequest?, tuned: StationAddress?, at now: MonotonicTime) -> FindAnswer? {
    guard let request else {
      keeper.closeIfIdle(at: now)
      if !keeper.isOpen { (contents, directory) = ([:], nil) }
      return nil
    }
    let state = keeper.state(at: now)
    if edition != keeper.edition { (edition, contents, directory) = (keeper.edition, [:], nil) }
    switch state {
    case .opening: return .opening
    case .absent: return updates.answer
    case .damaged: return updates.state == nil ? .damaged : updates.answer
    case .open(let directory):
      self.directory = directory
      return .rows(rows(request, in: directory, tuned))
    }
  }

  /// Returns the station with a rank in the last reply; nil if another directory was opened since.
  func station(_ rank: Int) -> FoundStation? {
    guard edition == keeper.edition, let directory else { return nil }
    return FoundStation(rank, in: directory)
  }

  func state(at now: MonotonicTime) -> DirectoryState { keeper.state(at: now) }

  /// Observes an update of the directory. Returns a change, after which the copy is opened at its next use.
  func advance(at now: MonotonicTime) -> UpdateKeeper.Change? {
    let change = updates.advance(at: now)
    if change?.isReplaced == true { keeper.expectReplacement() }
    return change
  }

  func finish() {
    updates.finish()
    keeper.finish()
  }

  // MARK: Rows

  private func rows(_ request: FindRequest, in directory: StationDirectory, _ tuned: StationAddress?) -> FindRows {
    var answer = FindRows()
    guard request.list != .start else { return answer }
    let content = content(of: request.list, in: directory)
    if case .rows(_, let start) = content { answer.start = start }
    let cursor = max(0, request.cursor ?? answer.start)
    let ranks: [Int]
    switch content {
    case .rows(let rows, _):
      answer.place(cursor, of: rows.count)
      answer.rows = Array(rows.dropFirst(answer.from).prefix(FindRows.window))
      return answer
    case .ranks(let all):
      answer.place(cursor, of: all.count)
      ranks = Array(all.dropFirst(answer.from).prefix(FindRows.window))
    case .stations(let query):
      answer.place(cursor, of: directory.search(query, limit: 0).total)
      ranks = directory.search(query, limit: FindRows.window, from: answer.from).ranks
    }
    answer.rows = ranks.map { rank in
      var row = FindRow(directory.name(of: rank), .station(rank))
      row.isAlive = rank < directory.aliveCount
      if let tuned { row.isTuned = directory[rank].url == tuned }
      return row
    }
    return answer
  }

  private func content(of list: FindList, in directory: StationDirectory) -> Content {
    if let known = contents[list] { return known }
    let made = make(list, in: directory)
    if contents.count >= Self.maxListCount { contents = [:] }
    contents[list] = made
    return made
  }

  private func make(_ list: FindList, in directory: StationDirectory) -> Content {
    switch list {
    case .start, .popular: return .stations(DirectoryQuery())
    case .nearMe:
      if let own = ownCode, directory.search(DirectoryQuery(country: own), limit: 1).total > 0 {
        return .stations(DirectoryQuery(country: own))
      }
      return countries(of: directory)
    case .genres:
      let rows = directory.tags(limit: Self.maxGenreCount).map {
        FindRow($0.name, .list(.genre($0.name)), count: $0.count)
      }
      return .rows(rows, start: 0)
    case .countries: return countries(of: directory)
    case .letters(let beginning): return letters(after: beginning, in: directory)
    case .genre(let tag): return .stations(DirectoryQuery(tag: tag))
    case .country(let code, _): return .stations(DirectoryQuery(country: code))
    case .names(let beginning):
      let ranks = directory.names(beginning: beginning, limit: directory.count).ranks
      return .ranks(ranks.filter { $0 < directory.aliveCount } + ranks.filter { $0 >= directory.aliveCount })
    }
  }

  private func countries(of directory: StationDirectory) -> Content {
    let countries = directory.countries.map { country in
      let name = country.name.hasPrefix("The ") ? String(country.name.dropFirst(4)) : country.name
      return (country, name, FoldedText(name).description)
    }.sorted { $0.2 < $1.2 }
    let start = ownCode.flatMap { own in countries.firstIndex { $0.0.code == own } } ?? 0
    let rows = countries.map { country, name, _ in
      let list = FindList.country(code: country.code.isEmpty ? country.name : country.code, name: name)
      return FindRow(name, .list(list), count: country.count)
    }
    return .rows(rows, start: start)
  }

  /// Returns the possible next letters. After a prefix, the first row leads to all its names. Without a prefix, the
  /// cursor starts after the digits.
  private func letters(after beginning: String, in directory: StationDirectory) -> Content {
    let letters = directory.letters(after: beginning)
    var rows = letters.map { letter in
      let next = beginning + letter.letter
      let list = letter.count > Self.maxNameCount ? FindList.letters(after: next) : .names(beginning: next)
      return FindRow(letter.letter, .list(list), count: letter.count)
    }
    guard !beginning.isEmpty else {
      return .rows(rows, start: letters.firstIndex { $0.letter >= "a" } ?? 0)
    }
    let total = directory.names(beginning: beginning, limit: 0).total
    rows.insert(FindRow("", .list(.names(beginning: beginning)), count: total), at: 0)
    return .rows(rows, start: min(1, rows.count - 1))
  }

  private var ownCode: String? {
    if let code { return code }
    let found = countryOfZone(zone)
    code = .some(found)
    return found
  }
}

extension StationFinder: DirectoryControl {
  var update: DirectoryUpdateState? { updates.state }
  var country: String? { ownCode }

  func requestUpdate() throws(ControlRefusal) { try updates.request(at: keeper.clock.now()) }

  func expectCopy() { updates.expectCopy() }
}

extension FindRows {
  /// Rows on each side of the cursor; a display shows fewer.
  private static let margin = 4
  fileprivate static let window = 2 * margin + 1

  fileprivate mutating func place(_ cursor: Int, of total: Int) {
    self.total = total
    from = max(0, min(cursor, total) - Self.margin)
  }
}
