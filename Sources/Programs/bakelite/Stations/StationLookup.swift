import Directory
import Settings

/// Finds stations of a list by a number or by words, as a person types them.
struct StationLookup {
  enum Result: Equatable {
    case one(StationList.Entry)
    case several([StationList.Entry])
    case none
  }

  let entries: [StationList.Entry]
  /// The names in lower case without accents, as words with single spaces.
  private let names: [String]

  init(_ entries: [StationList.Entry]) {
    self.entries = entries
    names = entries.map { FoldedText($0.station.name).description }
  }

  /// Returns the station with this name, in upper or lower case.
  func named(_ text: String) -> StationList.Entry? {
    let lower = text.lowercased()
    return entries.first { $0.station.name == text } ?? entries.first { $0.station.name.lowercased() == lower }
  }

  /// Returns the station with this name or number, otherwise the stations whose names start with the text, otherwise
  /// those in which each word of the text starts a word.
  func find(_ text: String) -> Result {
    if let entry = named(text) { return .one(entry) }
    let folded = FoldedText(text).description
    guard !folded.isEmpty else { return .none }
    if let place = names.firstIndex(of: folded) { return .one(entries[place]) }
    if let entry = entries.first(where: { String($0.number) == text }) { return .one(entry) }
    let started = entries.indices.filter { names[$0].hasPrefix(folded) }
    let found = (started.isEmpty ? worded(folded) : started).map { entries[$0] }
    return found.count == 1 ? .one(found[0]) : found.isEmpty ? .none : .several(found)
  }

  /// Returns the places of the stations in which each word of the text starts a word, or whose number starts with the
  /// text.
  func matches(_ text: String) -> [Int] {
    let (folded, typed) = (FoldedText(text).description, text.filter { $0 != " " })
    if folded.isEmpty { return typed.isEmpty ? Array(entries.indices) : [] }
    let numbered = entries.indices.filter { String(entries[$0].number).hasPrefix(typed) }
    return numbered + worded(folded).filter { !numbered.contains($0) }
  }

  /// Returns the name with the nearest spelling, or a name with such a word; nil if none is near.
  func nearest(to text: String) -> String? {
    if let name = SpellingSuggestion.nearest(to: text, of: entries.map(\.station.name)) { return name }
    let words = names.map { $0.split(separator: " ").map(String.init).filter { $0.count > 2 } }
    guard let word = SpellingSuggestion.nearest(to: text, of: words.joined()) else { return nil }
    return words.firstIndex { $0.contains(word) }.map { entries[$0].station.name }
  }

  private func worded(_ folded: String) -> [Int] {
    let typed = folded.split(separator: " ")
    return entries.indices.filter { place in
      let words = names[place].split(separator: " ")
      return typed.allSatisfy { part in words.contains { $0.hasPrefix(part) } }
    }
  }
}
