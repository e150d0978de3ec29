import Testing

@testable import Blocks

/// Set-ups have numbers that are theirs alone while they are kept (C1).
struct SetupTableTests {
  @Test func aNumberThatIsKeptIsGivenToNoOther() {
    let table = SetupTable()
    // A jingle between the songs of a station, each of which has a set-up of its own.
    let jingle = CodecSetup(.flac, [[0]])
    let number = table.number(of: jingle)
    for song in 1...600 {
      let setup = CodecSetup(.flac, [[1, UInt8(song >> 8), UInt8(truncatingIfNeeded: song)]])
      #expect(table.number(of: setup) != number)
      #expect(table.setup(number) == jingle && table.number(of: jingle) == number)
    }
  }
}
