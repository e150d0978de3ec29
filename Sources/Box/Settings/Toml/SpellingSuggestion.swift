/// Suggestions for misspelt words.
public enum SpellingSuggestion {
  /// Returns the known word with the smallest number of changes; nil if no word is near. A change inserts, deletes or
  /// replaces a letter, or swaps two neighbours. One change per three letters is allowed, at least one.
  public static func nearest(to word: String, of known: some Sequence<String>) -> String? {
    let letters = Array(word.lowercased().utf8)
    guard (1...maxLength).contains(letters.count) else { return nil }
    let most = max(1, letters.count / 3)
    var best: (word: String, distance: Int)?
    for candidate in known where candidate.utf8.count <= maxLength {
      let distance = distance(letters, Array(candidate.lowercased().utf8))
      if distance <= most, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  private static let maxLength = 64

  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var before: [Int] = []
    var above = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(above[j + 1] + 1, row[j] + 1, above[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
      (before, above) = (above, row)
    }
    return above[b.count]
  }
}
