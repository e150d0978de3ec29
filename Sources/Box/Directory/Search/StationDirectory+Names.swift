/// A possible next letter after a prefix.
public struct DirectoryLetter: Hashable, Sendable {
  /// A letter or digit as in `FoldedText`, or a space.
  public let letter: String
  /// Number of stations whose names continue with the letter.
  public let count: Int
}

extension StationDirectory {
  /// Returns the stations whose names begin with a prefix, in name order.
  public func names(beginning prefix: String, limit: Int, from: Int = 0) -> DirectoryMatches {
    let places = places(beginning: Self.key(prefix))
    let wanted = places.dropFirst(max(0, from)).prefix(max(0, limit))
    return DirectoryMatches(ranks: wanted.map { file.rankByName($0) }, total: places.count, isMisspelt: false)
  }

  /// Returns the possible next letters after a prefix, in order, at most 200.
  public func letters(after prefix: String) -> [DirectoryLetter] {
    let key = Self.key(prefix)
    var places = places(beginning: key)
    // Skip the names that end here; they come first, and may be many.
    places = places.partition { !letter($0, after: key.count).isEmpty }..<places.upperBound
    var letters: [DirectoryLetter] = []
    while !places.isEmpty, letters.count < 200 {
      let letter = letter(places.lowerBound, after: key.count)
      // Only a damaged file has an empty letter here, because its names are not sorted.
      guard !letter.isEmpty else { break }
      let same = self.places(beginning: key + letter, in: places)
      let end = max(same.upperBound, places.lowerBound + 1)
      letters.append(
        DirectoryLetter(letter: String(decoding: letter, as: UTF8.self), count: end - places.lowerBound))
      places = end..<places.upperBound
    }
    return letters
  }

  /// Returns the letter after `count` bytes of the name at a position in name order; empty at the end of the name.
  private func letter(_ place: Int, after count: Int) -> [UInt8] {
    if count < 8 {
      let key = file.nameKey(place)
      let bytes = (count..<8).map { UInt8(truncatingIfNeeded: key >> UInt64(56 - 8 * $0)) }
      if bytes[0] < 0x80 { return bytes[0] == 0 ? [] : [bytes[0]] }
    }
    let rest = foldedName(place).dropFirst(count)
    guard let lead = rest.first else { return [] }
    return [lead] + rest.dropFirst().prefix { $0 & 0xC0 == 0x80 }
  }

  /// Returns the folded prefix, with a space if the prefix ends with a space.
  private static func key(_ prefix: String) -> [UInt8] {
    let folded = FoldedText(prefix).bytes
    return prefix.last == " " && !folded.isEmpty ? folded + [UInt8(ascii: " ")] : folded
  }

  private func foldedName(_ place: Int) -> [UInt8] { FoldedText(file.name(file.rankByName(place))).bytes }

  /// Returns the positions of names with a prefix; for an empty prefix, of all names with a letter.
  private func places(beginning key: [UInt8], in range: Range<Int>? = nil) -> Range<Int> {
    let range = range ?? 0..<count
    let (start, isShort) = (FoldedText.key(key), key.count <= 8)
    guard !key.isEmpty else { return range.partition { file.nameKey($0) > 0 }..<range.upperBound }
    // Reads a whole name only if the first eight bytes do not decide.
    let first = range.partition { place in
      let name = file.nameKey(place)
      return name == start && !isShort ? !foldedName(place).lexicographicallyPrecedes(key) : name >= start
    }
    let mask: UInt64 = key.count >= 8 ? .max : ~(.max >> UInt64(8 * key.count))
    let end = (first..<range.upperBound).partition { place in
      let name = file.nameKey(place) & mask
      return name == start && !isShort
        ? key.lexicographicallyPrecedes(foldedName(place).prefix(key.count)) : name > start
    }
    return first..<end
  }
}
