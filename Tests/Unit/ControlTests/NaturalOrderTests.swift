import Testing

@testable import Control

/// The order of the files of a folder.
struct NaturalOrderTests {
  @Test(
    "Names are in natural order",
    arguments: [
      ["1", "2", "10", "a"], ["Track 1.mp3", "Track 2 b.mp3", "track 02.mp3", "TRACK 10.mp3"], ["a", "a1", "a1b", "b"],
      ["01", "1"], ["9", "99999999999999999999", "100000000000000000000"], ["", "0", "ä"],
    ])
  func naturalOrder(names: [String]) {
    #expect(NaturalOrder.sorted(names.reversed()) == names)
    #expect(NaturalOrder.sorted(names) == names)
  }
}
