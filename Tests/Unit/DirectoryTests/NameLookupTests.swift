import Directory
import Testing

@Suite struct NameLookupTests {
  @Test("A text of more than sixteen words has no place")
  func manyWords() {
    let lookup = NameLookup(["a b c d"])
    #expect(lookup.places(words: Array(repeating: "c", count: 16).joined(separator: " ")) == [0])
    #expect(lookup.places(words: Array(repeating: "c", count: 17).joined(separator: " ")).isEmpty)
  }

  @Test(
    "A name is found by itself, then by its start, then by its words",
    arguments: [
      ("FIP", [0]), ("fip", [0]), ("fip j", [1]), ("jazz", [1, 2]), ("elodie", [3]), ("radio jazz", [2]), ("x", []),
      ("", []), ("…", []), ("ÉLODIE ROCK", [3]), ("elodie  rock!", [3]),
    ])
  func finds(_ text: String, _ places: [Int]) {
    let lookup = NameLookup(["FIP", "FIP Jazz", "Radio Jazz", "Élodie Rock", "Fip"])
    #expect(lookup.places(text) == places)
    #expect(lookup.place(named: "Fip") == 4 && lookup.place(named: "FIP JAZZ") == 1)
    #expect(lookup.places(words: "fip") == [0, 1, 4] && lookup.words[1] == ["fip", "jazz"])
  }
}
