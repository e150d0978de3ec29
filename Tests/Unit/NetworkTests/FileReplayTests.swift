import Blocks
import Framing
import Testing
import Units

@testable import Network

/// A file without a length in a programme treated as a live station (R1.5).
@Suite struct FileReplayTests {
  /// A connection: its packets by number, and its end.
  struct Pass: Sendable {
    var packets: [Int]
    var isClean = true
    var isLengthKnown = false
    var isIcy = false
    /// True if the connection is replaced without an end.
    var isReplaced = false
    /// Number of last packets without a successor that were damaged.
    var damagedCount = 0

    init(
      _ packets: some Sequence<Int>, isClean: Bool = true, isLengthKnown: Bool = false, isIcy: Bool = false,
      isReplaced: Bool = false, damagedCount: Int = 0
    ) {
      self.packets = Array(packets)
      (self.isReplaced, self.damagedCount) = (isReplaced, damagedCount)
      (self.isClean, self.isLengthKnown, self.isIcy) = (isClean, isLengthKnown, isIcy)
    }
  }

  /// Packets published by all connections, and the number of the connection that ends the file; nil if all reconnect.
  struct Outcome: Equatable {
    var published: [Int] = []
    var end: Int?
    var kind = FileReplay.End.reconnect
    var joins: [Int] = []
    var overlaps: [Int] = []
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var passes: [Pass]
    var published: [Int]
    var end: Int?
    var kind = FileReplay.End.reconnect

    init(
      _ description: String, _ passes: [Pass], published: some Sequence<Int>, end: Int? = nil,
      _ kind: FileReplay.End = .complete
    ) {
      (testDescription, self.passes, self.published, self.end) = (description, passes, Array(published), end)
      self.kind = end == nil ? .reconnect : kind
    }
  }

  private static let packetByteCount = 417
  private static let duration = StreamTime(seconds: 0.025)
  private static func print(_ number: Int, isDamaged: Bool = false) -> PacketPrint {
    var bytes = [UInt8](repeating: isDamaged ? 1 : 0, count: packetByteCount)
    for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    return bytes.withUnsafeBytes { PacketPrint(of: $0) }
  }

  private static let info = PacketInfo(
    format: PacketFormat(codec: .mpegLayer3, sampleRate: .cd, channels: 2),
    byteCount: packetByteCount, duration: duration, byteOffset: 0, followsGap: false, isFreeFormat: false)

  private static func run(_ passes: [Pass]) -> Outcome {
    var (replay, outcome) = (FileReplay(), Outcome())
    for (place, pass) in passes.enumerated() {
      if !replay.begin() { outcome.joins.append(place) }
      for (index, number) in pass.packets.enumerated() {
        let isLast = index == pass.packets.count - 1
        let isDamaged = index >= pass.packets.count - pass.damagedCount
        switch replay.offer(print(number, isDamaged: isDamaged), info, isLast: isLast) {
        case .drop: continue
        case .join: outcome.joins.append(place)
        case .publish: break
        case .proceed(let overlap, _): outcome.overlaps.append(Int(overlap.ticks / duration.ticks))
        }
        outcome.published.append(number)
      }
      if pass.isReplaced { continue }
      let end = replay.end(
        isClean: pass.isClean, of: ResponseTrace(isLengthKnown: pass.isLengthKnown, isIcy: pass.isIcy))
      guard end == .reconnect else {
        (outcome.end, outcome.kind) = (place, end)
        break
      }
    }
    return outcome
  }

  static let rows = [
    Row("a file, whole twice", [Pass(0..<1_000), Pass(0..<1_000)], published: 0..<1_000, end: 1),
    Row("a file of less than 64 KiB", [Pass(0..<40), Pass(0..<40)], published: 0..<40, end: 1),
    Row(
      "a file with ICY headers", [Pass(0..<100, isIcy: true), Pass(0..<100, isIcy: true)], published: 0..<100, end: 1),
    Row(
      "a station with a second of audio each time", Array(repeating: Pass(0..<40, isIcy: true), count: 4),
      published: 0..<40),
    Row(
      "a file that breaks twice",
      [Pass(0..<500, isClean: false), Pass(0..<800, isClean: false), Pass(0..<1_000), Pass(0..<1_000)],
      published: 0..<1_000, end: 3),
    Row(
      "a file whose connection closes early twice",
      [Pass(0..<500), Pass(0..<800), Pass(0..<1_000), Pass(0..<1_000)], published: 0..<1_000, end: 3),
    Row(
      "a break before the last one", [Pass(0..<800, isClean: false), Pass(0..<300), Pass(0..<1_000), Pass(0..<1_000)],
      published: 0..<1_000, end: 3),
    Row(
      "breaks within 64 KiB",
      [Pass(0..<50, isClean: false), Pass(0..<90, isClean: false), Pass(0..<400), Pass(0..<400)],
      published: 0..<400, end: 3),
    Row(
      "a file longer than the early prints", [Pass(0..<30_000, isClean: false), Pass(0..<50_000), Pass(0..<50_000)],
      published: 0..<50_000, end: 2),
    Row(
      "a length that is stated later", [Pass(0..<500), Pass(0..<1_000, isLengthKnown: true)], published: 0..<1_000,
      end: 1),
    Row(
      "a length of less than 64 KiB", [Pass(0..<50), Pass(0..<90, isLengthKnown: true)], published: 0..<90),
    Row(
      "other content between the connections", [Pass(0..<500, isClean: false), Pass(5_000..<5_040), Pass(0..<700)],
      published: Array(0..<500) + Array(5_000..<5_040) + Array(500..<700)),
    Row(
      "a damaged last packet", [Pass(0..<500, isClean: false, damagedCount: 1), Pass(0..<700), Pass(0..<700)],
      published: 0..<700, end: 2),
    Row(
      "a damaged packet within the packets before",
      [
        Pass(0..<500, isClean: false), Pass(0..<300, isClean: false, damagedCount: 1), Pass(0..<700), Pass(0..<700),
      ], published: 0..<700, end: 3),
    Row(
      "a file that always breaks at the same byte", Array(repeating: Pass(0..<500, isClean: false), count: 6),
      published: 0..<500, end: 5, .short),
    Row(
      "a file whose silent connections are replaced",
      Array(repeating: Pass(0..<500, isReplaced: true), count: 5) + [Pass(0..<500, isClean: false)],
      published: 0..<500, end: 5, .short),
    Row(
      "new audio between silent connections",
      Array(repeating: Pass(0..<500, isReplaced: true), count: 5)
        + Array(repeating: Pass(0..<600, isReplaced: true), count: 5) + [Pass(0..<600, isClean: false)],
      published: 0..<600, end: 10, .short),
    Row(
      "a file that always breaks within 64 KiB", Array(repeating: Pass(0..<100, isClean: false), count: 6),
      published: 0..<100, end: 5, .short),
    Row(
      "earlier breaks within 64 KiB",
      [Pass(0..<100, isClean: false)] + Array(repeating: Pass(0..<90, isClean: false), count: 6)
        + [Pass(0..<100, isClean: false)], published: 0..<100, end: 7, .short),
    Row(
      "a station that always breaks within 64 KiB",
      Array(repeating: Pass(0..<100, isClean: false, isIcy: true), count: 20), published: 0..<100),
    Row(
      "a station with other audio each time", [Pass(0..<500), Pass(1_000..<1_500), Pass(2_000..<2_500)],
      published: Array(0..<500) + Array(1_000..<1_500) + Array(2_000..<2_500)),
    Row(
      "a station with a short announcement",
      [Pass(Array(0..<90) + Array(1_000..<1_500)), Pass(Array(0..<90) + Array(3_000..<3_500)), Pass(0..<590)],
      published: Array(0..<90) + Array(1_000..<1_500) + Array(3_000..<3_500) + Array(0..<590)),
    Row(
      "a station with an announcement of more than 64 KiB",
      [Pass(Array(0..<200) + Array(1_000..<1_500)), Pass(Array(0..<200) + Array(3_000..<3_500)), Pass(0..<300)],
      published: Array(0..<200) + Array(1_000..<1_500) + Array(3_000..<3_500) + Array(0..<300)),
    Row(
      "a station that hangs after its announcement for a while",
      [Pass(Array(0..<200) + Array(1_000..<1_500))] + Array(repeating: Pass(0..<200, isReplaced: true), count: 8)
        + Array(repeating: Pass(0..<200, isClean: false, isIcy: true), count: 8),
      published: Array(0..<200) + Array(1_000..<1_500)),
    Row(
      "silence", [Pass(Array(repeating: 7, count: 900)), Pass(Array(repeating: 7, count: 900))],
      published: Array(repeating: 7, count: 1_800)),
    Row(
      "silence of nine kinds", [Pass((0..<900).map { $0 * 5 % 9 }), Pass((0..<900).map { $0 * 5 % 9 })],
      published: (0..<900).map { $0 * 5 % 9 } + (0..<900).map { $0 * 5 % 9 }),
  ]

  @Test("A file plays once, and a station reconnects", arguments: rows)
  func decides(row: Row) {
    let outcome = Self.run(row.passes)
    #expect(outcome.published == row.published)
    #expect(outcome.end == row.end && outcome.kind == row.kind)
  }

  @Test("The overlap is the audio of all earlier connections, and only other audio is joined")
  func overlap() {
    let outcome = Self.run([Pass(0..<500, isClean: false), Pass(0..<800, isClean: false), Pass(0..<900), Pass(7..<9)])
    #expect(outcome.overlaps == [500, 800] && outcome.joins == [0, 3])
  }

  /// Packets of a spare, and the number of first packets that were received before.
  static let spares: [(known: [Int], spare: [Int], count: Int)] = [
    (Array(0..<500), Array(0..<400), 400),
    (Array(0..<500), Array(0..<600), 500),
    (Array(0..<500), Array(0..<200) + [7_000], 200),
    (Array(0..<500), Array(100..<200), 0),
    (Array(repeating: 7, count: 500), Array(repeating: 7, count: 500), 0),
  ]

  @Test("A spare repeats the file until its first new packet, and then leads", arguments: spares)
  func repeats(known: [Int], spare: [Int], count: Int) {
    var replay = FileReplay()
    _ = replay.begin()
    for number in known { _ = replay.offer(Self.print(number), Self.info, isLast: false) }
    var repetition: FileReplay.Repetition?
    let repeated = spare.prefix { number in
      guard let next = replay.repetition(with: Self.print(number), Self.info, after: repetition) else { return false }
      repetition = next
      return true
    }
    #expect(repeated.count == count && repetition.map(replay.isWhole) == (count == 0 ? nil : count == known.count))
    guard count > 0, count < spare.count else { return }
    let isCompared = replay.begin(after: repetition)
    let step = replay.offer(Self.print(spare[count]), Self.info, isLast: false)
    let overlap = StreamTime(ticks: Int64(known.count) * Self.duration.ticks)
    #expect(isCompared && step == (count == known.count ? .proceed(overlap: overlap, isExact: true) : .join))
  }

  @Test("Other audio late in a long stream is found within the interval of the prints")
  func differsLate() {
    let outcome = Self.run([Pass(0..<100_000), Pass(Array(0..<50_000) + Array(200_000..<210_000))])
    let again = outcome.published.dropFirst(100_000)
    #expect(outcome.joins == [0, 1] && (9_900...10_000).contains(again.count) && again.last == 209_999)
  }

  @Test("A station whose server was gone starts again")
  func restarts() {
    var replay = FileReplay()
    for pass in 0..<3 {
      let isCompared = replay.begin()
      var steps: [FileReplay.Step] = []
      for number in 0..<500 { steps.append(replay.offer(Self.print(number), Self.info, isLast: false)) }
      let end = replay.end(isClean: true, of: ResponseTrace(isLengthKnown: false, isIcy: true))
      #expect(!isCompared && steps.allSatisfy { $0 == .publish } && end == .reconnect, "connection \(pass)")
      replay.restart()
    }
  }
}
