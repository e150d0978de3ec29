import Testing

@testable import Blocks

/// The number of a retained set-up is unique (C1).
struct SetupTableTests {
  @Test("A station that is not heard cannot remove the set-ups of another (B5)")
  func programmes() {
    let table = SetupTable()
    let setup = CodecSetup(.flac, [[0]])
    let number = table.number(of: setup)
    for song in 1...600 {
      let other = CodecSetup(.flac, [[1, UInt8(song >> 8), UInt8(truncatingIfNeeded: song)]])
      #expect(table.number(of: other, in: 1 + song % 5) != number)
    }
    #expect(table.setup(number) == setup && table.number(of: setup) == number)
    #expect(table.number(of: setup, in: 1) != number, "each programme has its own entries")
  }

  @Test func aNumberThatIsKeptIsGivenToNoOther() {
    let table = SetupTable()
    // A jingle between a station's songs; each song has its own set-up.
    let jingle = CodecSetup(.flac, [[0]])
    let number = table.number(of: jingle)
    for song in 1...600 {
      let setup = CodecSetup(.flac, [[1, UInt8(song >> 8), UInt8(truncatingIfNeeded: song)]])
      #expect(table.number(of: setup) != number)
      #expect(table.setup(number) == jingle && table.number(of: jingle) == number)
    }
  }
}
