import Testing

@testable import Blocks

/// The number of a retained set-up is unique (C1).
struct SetupTableTests {
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
