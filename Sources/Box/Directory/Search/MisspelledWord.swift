/// Matches words with one error: a missing, extra or wrong letter, or two neighbours in the wrong order.
enum MisspelledWord {
  /// Minimum number of letters of a typed word; shorter words would match too many words.
  static let minLength = 4

  static func mayBe(_ word: ArraySlice<UInt8>) -> Bool { word.count { $0 & 0xC0 != 0x80 } >= minLength }

  /// Returns true if `typed` with at most one error is a prefix of `word`; both UTF-8.
  static func fits(_ typed: UnsafeRawBufferPointer, _ word: UnsafeRawBufferPointer) -> Bool {
    var same = 0
    while same < typed.count, same < word.count, typed[same] == word[same] { same += 1 }
    guard same < typed.count else { return true }
    // Go back to the first byte of the letter.
    while same > 0, typed[same] & 0xC0 == 0x80 || same < word.count && word[same] & 0xC0 == 0x80 { same -= 1 }
    let letter = length(typed, same)
    // `typed` has an extra letter.
    if continues(typed, same + letter, word, same) { return true }
    guard same < word.count else { return false }
    let other = length(word, same)
    // `typed` has a wrong letter, or lacks a letter.
    if continues(typed, same + letter, word, same + other) || continues(typed, same, word, same + other) { return true }
    // `typed` has two letters in the wrong order.
    let (second, otherSecond) = (length(typed, same + letter), length(word, same + other))
    return second == other && otherSecond == letter
      && equal(typed, same, word, same + other, letter) && equal(typed, same + letter, word, same, other)
      && continues(typed, same + letter + second, word, same + other + otherSecond)
  }

  /// Returns the number of bytes of the letter at a position; 0 at the end.
  private static func length(_ text: UnsafeRawBufferPointer, _ place: Int) -> Int {
    guard place < text.count else { return 0 }
    var end = place + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end - place
  }

  /// Returns true if the rest of `typed` from `from` is in `word` at `place`.
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
