/// Matches words with one error: a missing, extra or wrong letter, or two swapped neighbours.
enum MisspelledWord {
  /// Minimum length in letters; shorter words match too many others.
  static let minLength = 4

  static func mayBe(_ word: ArraySlice<UInt8>) -> Bool { word.count { $0 & 0xC0 != 0x80 } >= minLength }

  /// True if `word` starts with a word that `typed` may mean; both UTF-8.
  static func fits(_ typed: UnsafeRawBufferPointer, _ word: UnsafeRawBufferPointer) -> Bool {
    var same = 0
    while same < typed.count, same < word.count, typed[same] == word[same] { same += 1 }
    guard same < typed.count else { return true }
    // Back to the start of the letter.
    while same > 0, typed[same] & 0xC0 == 0x80 || same < word.count && word[same] & 0xC0 == 0x80 { same -= 1 }
    let letter = length(typed, same)
    // An extra letter.
    if continues(typed, same + letter, word, same) { return true }
    guard same < word.count else { return false }
    let other = length(word, same)
    // A wrong or a missing letter.
    if continues(typed, same + letter, word, same + other) || continues(typed, same, word, same + other) { return true }
    // Two swapped letters.
    let (second, otherSecond) = (length(typed, same + letter), length(word, same + other))
    return second == other && otherSecond == letter
      && equal(typed, same, word, same + other, letter) && equal(typed, same + letter, word, same, other)
      && continues(typed, same + letter + second, word, same + other + otherSecond)
  }

  /// Bytes of the letter at a position; 0 at the end.
  private static func length(_ text: UnsafeRawBufferPointer, _ place: Int) -> Int {
    guard place < text.count else { return 0 }
    var end = place + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end - place
  }

  /// True if the rest of `typed` equals `word` at another position.
  private static func continues(
    _ typed: UnsafeRawBufferPointer, _ from: Int, _ word: UnsafeRawBufferPointer, _ place: Int
  ) -> Bool {
    let count = typed.count - from
    guard count >= 0, place + count <= word.count else { return false }
    return equal(typed, from, word, place, count)
  }

  private static func equal(
    _ one: UnsafeRawBufferPointer, _ from: Int, _ other: UnsafeRawBufferPointer, _ place: Int, _ count: Int
  ) -> Bool {
    guard from + count <= one.count, place + count <= other.count else { return false }
    for index in 0..<count where one[from + index] != other[place + index] { return false }
    return true
  }
}
