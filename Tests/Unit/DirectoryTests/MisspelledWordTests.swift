import Testing

@testable import enum Directory.MisspelledWord

struct MisspelledWordTests {
  private func fits(_ typed: String, _ word: String) -> Bool {
    Array(typed.utf8).withUnsafeBytes { typed in Array(word.utf8).withUnsafeBytes { MisspelledWord.fits(typed, $0) } }
  }

  /// True if a prefix of `word` differs by at most one letter. A slow reference.
  private func slowly(_ typed: [Character], _ word: [Character]) -> Bool {
    (0...word.count).contains { count in
      let meant = Array(word[..<count])
      if typed == meant { return true }
      for place in 0...typed.count {
        let (head, tail) = (typed[..<place], typed[place...])
        if head + tail.dropFirst() == meant[...] { return true }
        if tail.count > 1, head + [tail[place + 1], tail[place]] + tail.dropFirst(2) == meant[...] { return true }
        for letter in Set(word)
        where head + [letter] + tail == meant[...] || head + [letter] + tail.dropFirst() == meant[...] {
          return true
        }
      }
      return false
    }
  }

  @Test(
    "One missing, extra, wrong or swapped letter matches, and nothing else (G1)",
    arguments: ["ab", "aé", "語é"])
  func exhaustive(_ alphabet: String) {
    let letters = Array(alphabet)
    var words: [[Character]] = [[]]
    for length in 1...5 {
      words += words.filter { $0.count == length - 1 }.flatMap { word in letters.map { word + [$0] } }
    }
    for typed in words where typed.count >= 2 {
      for word in words { #expect(fits(String(typed), String(word)) == slowly(typed, word), "\(typed) \(word)") }
    }
  }

  @Test("Words with fewer than four letters are not corrected (G1)")
  func short() {
    for (word, may) in [("abc", false), ("abcd", true), ("äöü", false), ("äöüß", true), ("", false)] {
      #expect(MisspelledWord.mayBe(Array(word.utf8)[...]) == may)
    }
  }
}
