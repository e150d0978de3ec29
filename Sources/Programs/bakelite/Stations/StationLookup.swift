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
  private let names: NameLookup

  init(_ entries: [StationList.Entry]) {
    self.entries = entries
    names = NameLookup(entries.map(\.station.name))
  }

  /// Returns the station with this number, otherwise the station with this name, in upper or lower case.
  func exact(_ text: String) -> StationList.Entry? {
    entries.first { String($0.number) == text } ?? names.place(named: text).map { entries[$0] }
  }

  /// Returns the station with this number or name, otherwise the stations whose names start with the text, otherwise
  /// those in which each word of the text starts a word.
  func find(_ text: String) -> Result {
    if let entry = exact(text) { return .one(entry) }
    let found = names.places(text).map { entries[$0] }
    return found.count == 1 ? .one(found[0]) : found.isEmpty ? .none : .several(found)
  }

  /// Returns the places of the stations in which each word of the text starts a word, or whose number starts with the
  /// text.
  func matches(_ text: String) -> [Int] {
    let typed = text.filter { $0 != " " }
    if FoldedText(text).isEmpty { return typed.isEmpty ? Array(entries.indices) : [] }
    let numbered = entries.indices.filter { String(entries[$0].number).hasPrefix(typed) }
    return numbered + names.places(words: text).filter { !numbered.contains($0) }
  }

  /// Returns the name with the nearest spelling, or a name with such a word; nil if none is near.
  func nearest(to text: String) -> String? {
    if let name = SpellingSuggestion.nearest(to: text, of: names.names) { return name }
    let words = names.words
    guard let word = SpellingSuggestion.nearest(to: text, of: words.joined()) else { return nil }
    return words.firstIndex { $0.contains(word) }.map { entries[$0].station.name }
  }
}
