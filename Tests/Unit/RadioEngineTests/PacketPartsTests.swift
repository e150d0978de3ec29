import Blocks
import Testing

@testable import RadioEngine

struct PacketPartsTests {
  @Test(
    "A packet becomes as few periods as possible, of equal length except the last",
    arguments: [
      (0, []), (1, [1]), (1_152, [1_152]), (1_153, [577, 576]), (2_048, [1_024, 1_024]), (1_258, [629, 629]),
      (4_608, [1_152, 1_152, 1_152, 1_152]), (5_760, [1_152, 1_152, 1_152, 1_152, 1_152]),
    ] as [(Int, [Int])])
  func counts(_ frameCount: Int, _ counts: [Int]) {
    let parts = Array(PacketParts(frameCount, heard: 0..<frameCount))
    #expect(parts.map(\.frames.count) == counts && parts.allSatisfy { $0.heard == $0.frames })
  }

  @Test("Every frame is in one part, including all audible frames", arguments: [1, 700, 1_152, 1_153, 9_999, 65_535])
  func all(_ frameCount: Int) {
    let heard = frameCount / 5..<frameCount - frameCount / 7
    let parts = Array(PacketParts(frameCount, heard: heard))
    #expect(parts.flatMap { Array($0.frames) } == Array(0..<frameCount))
    #expect(parts.flatMap { Array($0.heard) } == Array(heard))
    #expect(parts.allSatisfy { $0.frames.count <= Period.maxPart })
  }
}
