/// Finds names in a list, as a person types them.
public struct NameLookup: Sendable {
  /// The names in the list's order.
  public let names: [String]
  /// The names in lower case without accents, as words with single spaces.
  private let folded: [String]
  private static let maxWordCount = 16

  /// Creates a lookup in these names.
  public init(_ names: [String]) {
    self.names = names
    folded = names.map { FoldedText($0).description }
  }

  /// Returns the place of a name, in upper or lower case; nil if no name is equal.
  public func place(named text: String) -> Int? {
    let lower = text.lowercased()
    return names.firstIndex(of: text) ?? names.firstIndex { $0.lowercased() == lower }
  }

  /// Returns the place of the name. Without such a name, the places of the names that start with the text; without
  /// these, the places of the names in which each word of the text starts a word.
  public func places(_ text: String) -> [Int] {
    if let place = place(named: text) { return [place] }
    let typed = FoldedText(text).description
    guard !typed.isEmpty else { return [] }
    if let place = folded.firstIndex(of: typed) { return [place] }
    let started = folded.indices.filter { folded[$0].hasPrefix(typed) }
    return started.isEmpty ? places(words: text) : started
  }

  /// Returns the places of the names in which each word of the text starts a word; none for more than 16 words.
  public func places(words text: String) -> [Int] {
    let typed = FoldedText(text).description.split(separator: " ", maxSplits: Self.maxWordCount)
    guard (1...Self.maxWordCount).contains(typed.count) else { return [] }
    return folded.indices.filter { place in
      let words = folded[place].split(separator: " ")
      return typed.allSatisfy { part in words.contains { $0.hasPrefix(part) } }
    }
  }

  /// Returns the words of the names with three letters or more, per name.
  public var words: [[String]] { folded.map { $0.split(separator: " ").map(String.init).filter { $0.count > 2 } } }
}
