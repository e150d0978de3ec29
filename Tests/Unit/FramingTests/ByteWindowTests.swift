import SeededRandom
import Testing

@testable import Framing

struct ByteWindowTests {
  @Test("The window contains undropped bytes, and makes room by moving before growing")
  func keepsBytes() {
    var random = SeededGenerator(31)
    var window = ByteWindow(least: 16, most: 64)
    var held: [UInt8] = []
    var position = 0
    for round in 0..<2_000 {
      var bytes = random.bytes(Int.random(in: 0...12, using: &random))
      while !bytes.isEmpty {
        let fitting = window.append(bytes.span)
        held += bytes.prefix(fitting)
        bytes.removeFirst(fitting)
        guard fitting == 0 else { continue }
        #expect(window.count > 56)
        break
      }
      let most = round < 1_000 ? 4 : 56
      let count = held.count > most ? held.count - Int.random(in: 0...most, using: &random) : 0
      window.drop(count)
      held.removeFirst(count)
      position += count
      #expect(window.storage.span.extracting(window.buffered).array == held)
      #expect(window.position == position && window.count == held.count)
      #expect(window.storage.count <= (round < 1_000 ? 32 : 64))
    }
    #expect(window.storage.count == 64)
    window.reset(at: 7)
    #expect(window.isEmpty && window.position == 7 && window.storage.count == 16)
  }

  @Test("A position saturates, and bytes are skipped only in an empty window")
  func passes() {
    var window = ByteWindow(least: 8, most: 8)
    window.skipUnbuffered(.max)
    window.skipUnbuffered(5)
    #expect(window.position == .max)
    window.reset(at: 0)
    _ = window.append([1, 2].span)
    window.skipUnbuffered(5)
    #expect(window.position == 0)
  }
}
