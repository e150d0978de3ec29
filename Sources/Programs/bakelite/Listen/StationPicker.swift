import PanelLinux
import Settings

/// The list of stations with a cursor and a search: pure, one key at a time.
struct StationPicker {
  enum Order: Equatable {
    case play(StationList.Entry)
    case help
    case quit
  }

  /// The typed words; nil outside a search.
  private(set) var search: String?
  /// The station at the cursor before the search.
  private var former: String?
  /// The stations that match the search, as places in the list.
  private(set) var shown: [Int]
  /// The place of the cursor in `shown`.
  private(set) var cursor = 0
  private var lookup: StationLookup

  init(_ entries: [StationList.Entry]) {
    lookup = StationLookup(entries)
    shown = Array(entries.indices)
  }

  var entries: [StationList.Entry] { lookup.entries }
  /// The station at the cursor; nil if no station matches.
  var chosen: StationList.Entry? { shown.indices.contains(cursor) ? entries[shown[cursor]] : nil }

  /// Shows a changed list, with the cursor at the same station. A search stays open.
  mutating func reload(_ entries: [StationList.Entry]) {
    let before = chosen?.station.name
    lookup = StationLookup(entries)
    shown = lookup.matches(search ?? "")
    place(at: before)
  }

  /// `page`: the number of visible stations.
  mutating func press(_ key: TerminalKey, page: Int) -> Order? {
    switch key {
    case .up: move(by: -1)
    case .down: move(by: 1)
    case .pageUp: move(by: -page)
    case .pageDown: move(by: page)
    case .home: move(by: -shown.count)
    case .end: move(by: shown.count)
    case .enter: return chosen.map { .play($0) }
    case .escape: leaveSearch()
    case .backspace: erase()
    case .character(let letter, isControl: false): return type(letter)
    default: break
    }
    return nil
  }

  private mutating func type(_ letter: Character) -> Order? {
    if let words = search {
      if words.count < Self.maxSearch { find(words + String(letter)) }
      return nil
    }
    switch letter {
    case "/": find("")
    case "q", "Q": return .quit
    case "?": return .help
    case "1"..."9": return entries.first { String($0.number) == String(letter) }.map { .play($0) }
    default: break
    }
    return nil
  }

  private mutating func move(by count: Int) { cursor = max(0, min(shown.count - 1, cursor + count)) }

  private mutating func erase() {
    guard let words = search else { return }
    if words.isEmpty { leaveSearch() } else { find(String(words.dropLast())) }
  }

  private mutating func find(_ words: String) {
    let before = search == nil ? chosen?.station.name : nil
    if search == nil { former = before }
    search = words
    shown = lookup.matches(words)
    place(at: before)
  }

  /// Ends a search without a choice, with the cursor where it was before.
  private mutating func leaveSearch() { if search != nil { endSearch(at: former) } }

  /// Moves the cursor to a station, in a search at its end.
  mutating func follow(_ name: String) { if search == nil { endSearch(at: name) } else { former = name } }

  /// Shows all stations, with the cursor at a station.
  mutating func endSearch(at name: String?) {
    search = nil
    shown = Array(entries.indices)
    place(at: name)
  }

  private mutating func place(at name: String?) {
    cursor = name.flatMap { name in shown.firstIndex { entries[$0].station.name == name } } ?? 0
  }

  private static let maxSearch = 60
}
