import Framing
import SeededRandom
import Testing

/// Compares the stitcher's verdict with what a station really sent: an exact verdict must be right (R4.2).
struct StitchTruthTests {
  /// A part of a programme, at 38 packets per second.
  private enum Part {
    case music(Int)
    /// Digital silence from LAME: three packets in an order that depends on the padding.
    case silence(Int)
    /// A loop of one second (38 packets).
    case loop(Int)
    /// The first packets of a jingle that is always the same.
    case jingle(Int)
  }

  private static func programme(_ parts: [Part]) -> [PacketPrint] {
    var next: UInt64 = 1_000
    return parts.flatMap { part -> [PacketPrint] in
      switch part {
      case .music(let count):
        next += UInt64(count)
        return (0..<UInt64(count)).map { PacketPrint(hash: (next - $0) << 1, isRich: true) }
      case .silence(let count):
        return (0..<count).map { PacketPrint(hash: $0 == 0 ? 2 : $0 * 47 % 49 < 2 ? 4 : 6, isRich: false) }
      case .loop(let count): return (0..<count).map { PacketPrint(hash: UInt64(100 + $0 % 38) << 1, isRich: true) }
      case .jingle(let count): return (0..<count).map { PacketPrint(hash: UInt64(200 + $0) << 1, isRich: true) }
      }
    }
  }

  /// The verdict after a complete burst.
  private static func verdict(
    _ held: ArraySlice<PacketPrint>, _ fresh: ArraySlice<PacketPrint>, expecting expected: Int
  ) -> Stitcher.Verdict {
    var stitcher = Stitcher()
    for packet in held { stitcher.recordBuffered(packet) }
    stitcher.beginComparison()
    for packet in fresh { _ = stitcher.offer(packet) }
    return stitcher.verdict(expecting: expected)
  }

  private struct Case: CustomTestStringConvertible, Sendable {
    enum Knowledge { case exact, unsure, nothing }
    var testDescription: String
    var sent: [PacketPrint]
    /// The buffered range of `sent`, and the range that the new connection brings.
    var held: Range<Int>
    var fresh: Range<Int>
    var knowledge: Knowledge

    init(_ name: String, _ parts: [Part], _ held: Range<Int>, _ fresh: Range<Int>, _ knowledge: Knowledge) {
      (testDescription, sent) = (name, programme(parts))
      (self.held, self.fresh, self.knowledge) = (held, fresh, knowledge)
    }
  }

  private static let cases = [
    Case("music", [.music(1_000)], 0..<500, 400..<550, .exact),
    Case("a relay that comes back 3 s earlier", [.music(1_000)], 0..<500, 250..<650, .exact),
    Case("a relay that comes back 3 s later", [.music(1_000)], 0..<500, 478..<650, .exact),
    Case("a burst shorter than the gap", [.music(1_000)], 0..<500, 600..<750, .nothing),
    Case("a burst that begins where what is held ends", [.music(1_000)], 0..<500, 500..<650, .nothing),
    Case("a burst that reaches back before all that is held", [.music(1_000)], 300..<500, 100..<600, .exact),
    Case("less held than the burst is long", [.music(1_000)], 490..<500, 350..<501, .exact),
    Case("a burst of which no end is there yet", [.music(1_000)], 0..<500, 300..<450, .exact),
    Case("one packet in common", [.music(1_000)], 0..<500, 499..<650, .unsure),
    Case("digital silence throughout", [.silence(2_000)], 0..<500, 400..<550, .unsure),
    Case("silence that outlasts the burst", [.music(500), .silence(400)], 0..<600, 560..<700, .unsure),
    Case("silence that ends in the burst", [.music(500), .silence(300), .music(99)], 0..<600, 560..<850, .unsure),
    Case(
      "silence that has just begun, and its end 5 s later", [.music(500), .silence(200), .music(99)], 0..<503,
      697..<750, .unsure),
    Case("silence after music in the burst", [.music(500), .silence(300)], 0..<600, 450..<640, .exact),
    Case("music, silence and music", [.music(500), .silence(300), .music(99)], 0..<600, 450..<860, .exact),
    Case("silence, then two packets", [.music(500), .silence(99), .music(99)], 0..<601, 560..<660, .exact),
    Case("silence, then one packet", [.music(500), .silence(99), .music(99)], 0..<600, 560..<660, .unsure),
    Case(
      "silence in the midst of the overlap", [.silence(200), .music(99), .silence(99), .music(99)], 0..<420,
      250..<490, .exact),
    Case("a loop of one second", [.loop(1_000)], 0..<300, 200..<350, .unsure),
    Case("a loop whose first round is cut", [.music(300), .loop(500)], 0..<320, 310..<420, .unsure),
    Case("a loop after a gap of one round", [.music(300), .loop(500)], 0..<320, 348..<450, .unsure),
    Case("a loop that the burst reaches back before", [.music(300), .loop(500)], 0..<400, 290..<480, .exact),
    Case(
      "a jingle in the midst of both", [.music(300), .jingle(90), .music(300), .jingle(90), .music(300)], 0..<500,
      650..<900, .nothing),
    Case(
      "a jingle for the third time", [.jingle(90), .music(300), .jingle(90), .music(300), .jingle(90), .music(300)],
      0..<440, 780..<1_000, .unsure),
    Case(
      "a jingle for the second time, in the overlap", [.jingle(90), .music(300), .jingle(90), .music(300)], 0..<440,
      380..<600, .exact),
    Case(
      "a jingle twice in the burst", [.music(300), .jingle(90), .music(50), .jingle(90), .music(99)], 0..<350,
      300..<600,
      .unsure),
    Case("a packet that an encoder repeated", [.loop(1), .loop(1), .music(99), .loop(1)], 0..<2, 1..<90, .unsure),
  ]

  @Test("A stitch reported as known is true", arguments: cases)
  private func table(_ row: Case) {
    let overlap = row.held.upperBound - row.fresh.lowerBound
    let verdict = Self.verdict(row.sent[row.held], row.sent[row.fresh], expecting: overlap)
    switch row.knowledge {
    case .exact where row.fresh.upperBound < row.held.upperBound: #expect(verdict == .inside(isProven: true))
    case .exact: #expect(verdict == .overlap(overlap, isProven: true))
    case .nothing: #expect(verdict == .none)
    case .unsure:
      switch verdict {
      case .overlap(_, let isProven), .inside(let isProven): #expect(!isProven)
      case .none: break
      }
    }
  }

  @Test func anotherEncoderHasNoPacketInCommon() {
    let sent = Self.programme([.music(2_000)])
    #expect(Self.verdict(sent[0..<500], sent[1_400..<1_600], expecting: 100) == .none)
  }

  @Test("With any silence and any cut, a proven position is the true one")
  func neverWrong() {
    var random = SeededGenerator(5)
    var known = 0
    for _ in 0..<1_000 {
      let parts = (0..<8).map { _ -> Part in
        let count = Int.random(in: 1...120, using: &random)
        return Bool.random(using: &random) ? .music(count) : .silence(count)
      }
      let sent = Self.programme(parts + [.music(300)])
      let cut = Int.random(in: 1..<sent.count - 200, using: &random)
      let held = max(0, cut - Int.random(in: 1...400, using: &random))..<cut
      let first = max(0, cut + Int.random(in: -150...150, using: &random))
      let fresh = first..<min(sent.count, max(first, cut) + 200)
      let overlap = cut - first
      guard case .overlap(let count, true) = Self.verdict(sent[held], sent[fresh], expecting: 1) else { continue }
      known += 1
      #expect(count == overlap, "\(parts), held \(held), fresh \(fresh)")
    }
    #expect(known > 300)
  }
}
