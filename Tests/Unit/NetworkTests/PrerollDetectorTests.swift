import Framing
import Testing
import Units

@testable import Network

/// The recognition of a pre-roll by repeated packets and by marks (B4).
struct PrerollDetectorTests {
  private static let duration = StreamTime(seconds: 0.025)

  private static func step(_ detector: inout PrerollDetector, _ number: Int) -> PrerollDetector.Step {
    detector.offer(PacketPrint(hash: UInt64(number) << 1, isRich: false), lasting: duration)
  }

  /// Sends a connection. Returns the number of packets with each decision, in order.
  private static func connect(
    _ detector: inout PrerollDetector, _ numbers: some Sequence<Int>
  ) -> [(PrerollDetector.Step, Int)] {
    detector.begin()
    return numbers.reduce(into: []) { runs, number in
      let step = step(&detector, number)
      if runs.last?.0 == step { runs[runs.count - 1].1 += 1 } else { runs.append((step, 1)) }
    }
  }

  private typealias Runs = [(PrerollDetector.Step, Int)]

  private static func equal(_ one: Runs, _ other: Runs) -> Bool {
    one.map(\.0) == other.map(\.0) && one.map(\.1) == other.map(\.1)
  }

  @Test("The second equal start may be a pre-roll, the third is one")
  func repeats() {
    var detector = PrerollDetector()
    #expect(Self.equal(Self.connect(&detector, 1...300), [(.programme, 300)]))
    let second = Self.connect(&detector, Array(1...100) + Array(500...600))
    #expect(Self.equal(second, [(.programme, 37), (.wait, 63), (.resume, 1), (.programme, 100)]))
    #expect(detector.isKnown)
    let third = Self.connect(&detector, Array(1...100) + Array(700...800))
    #expect(Self.equal(third, [(.wait, 37), (.drop, 63), (.resume, 1), (.programme, 100)]))
    // A longer repetition is a longer pre-roll.
    let fourth = Self.connect(&detector, Array(1...150) + Array(800...820))
    #expect(Self.equal(fourth, [(.wait, 37), (.drop, 63), (.wait, 50), (.resume, 1), (.programme, 20)]))
  }

  @Test("Silence and a short start show no pre-roll", arguments: [0, 37])
  func proves(nothing count: Int) {
    var detector = PrerollDetector()
    let start = count == 0 ? Array(repeating: 0, count: 200) : Array(1...count)
    for number in 1...4 {
      let runs = Self.connect(&detector, start + Array(number * 1_000..<number * 1_000 + 50))
      #expect(runs.map(\.0) == [.programme] && !detector.isKnown)
    }
  }

  @Test("An opening that a cut ended early continues with the next connection")
  func continues() {
    var detector = PrerollDetector()
    _ = Self.connect(&detector, 1...60)
    let second = Self.connect(&detector, Array(1...100) + Array(500...600))
    #expect(Self.equal(second, [(.programme, 37), (.wait, 23), (.programme, 141)]))
    let third = Self.connect(&detector, Array(1...100) + Array(700...800))
    #expect(third.map(\.0) == [.programme, .wait, .resume, .programme])
  }

  @Test("Two pre-rolls in turn are recognised")
  func alternates() {
    var detector = PrerollDetector()
    let ads = [Array(1...80), Array(201...300)]
    for number in 0..<4 {
      _ = Self.connect(&detector, ads[number % 2] + Array(number * 1_000 + 1_000..<number * 1_000 + 1_050))
    }
    for number in 4..<8 {
      let runs = Self.connect(&detector, ads[number % 2] + Array(number * 1_000..<number * 1_000 + 50))
      #expect(runs.map(\.0) == [.wait, .drop, .resume, .programme])
    }
  }

  @Test("A start longer than the memory does not count")
  func bounded() {
    var detector = PrerollDetector()
    _ = Self.connect(&detector, 1...3_000)
    let runs = Self.connect(&detector, 1...3_000)
    #expect(Self.equal(runs, [(.programme, 37), (.wait, 1_242), (.programme, 1_721)]) && !detector.isKnown)
  }

  private static func mark(_ ad: AdMark) -> StationTitle { StationTitle(ad) }

  @Test("A mark with a length ends the pre-roll after the length, counted from the start of the connection")
  func length() {
    var detector = PrerollDetector()
    detector.begin()
    let before = (1...40).map { Self.step(&detector, $0) }
    detector.accept(Self.mark(.begin(AdBreak(.preroll, length: StreamTime(seconds: 5)))), isJoining: true)
    let after = (41...300).map { Self.step(&detector, $0) }
    #expect(before == Array(repeating: .programme, count: 40) && detector.isKnown)
    #expect(after == Array(repeating: .drop, count: 160) + [.resume] + Array(repeating: .programme, count: 99))
  }

  @Test("A second ad follows the first")
  func secondAd() {
    let ad = Self.mark(.begin(AdBreak(.preroll, length: StreamTime(seconds: 5))))
    for second in [100, 190, 230] {
      var detector = PrerollDetector()
      detector.begin()
      let steps = (1...600).map { number in
        if number == 40 || number == second { detector.accept(ad, isJoining: true) }
        return Self.step(&detector, number)
      }
      // A repeated mark within the ad has no effect.
      #expect(steps.lastIndex(of: .resume) == (second == 100 ? 200 : 400))
      #expect(steps[401...].allSatisfy { $0 == .programme })
    }
  }

  @Test("A mark without a length lasts until a title or the mark of the end", arguments: [true, false])
  func withoutLength(hasTitle: Bool) {
    var detector = PrerollDetector()
    detector.begin()
    detector.accept(Self.mark(.begin(AdBreak(.preroll))), isJoining: true)
    #expect((1...200).allSatisfy { Self.step(&detector, $0) == .drop })
    detector.accept(StationTitle(text: ""), isJoining: true)
    #expect(Self.step(&detector, 201) == .drop)
    detector.accept(hasTitle ? StationTitle(text: "Song") : Self.mark(.end), isJoining: true)
    #expect([202, 203].map { Self.step(&detector, $0) } == [.resume, .programme])
  }

  @Test("Only the mark of a pre-roll counts, and only on a connection that is joined")
  func otherMarks() {
    for kind in [AdBreak.Kind.midroll, .spot, .cue] {
      var detector = PrerollDetector()
      detector.begin()
      detector.accept(Self.mark(.begin(AdBreak(kind, length: StreamTime(seconds: 5)))), isJoining: true)
      #expect(Self.step(&detector, 1) == .programme && !detector.isKnown)
    }
    var first = PrerollDetector()
    first.begin()
    first.accept(Self.mark(.begin(AdBreak(.preroll, length: StreamTime(seconds: 5)))), isJoining: false)
    #expect(Self.step(&first, 1) == .wait && first.isKnown)
    first.reset()
    first.begin()
    #expect(Self.step(&first, 1) == .programme && !first.isKnown)
  }

  @Test("Packets of another connection are not compared")
  func ends() {
    var detector = PrerollDetector()
    _ = Self.connect(&detector, 1...100)
    detector.begin()
    _ = (1...50).map { Self.step(&detector, $0) }
    detector.end()
    #expect(!detector.isOpen && (51...60).allSatisfy { Self.step(&detector, $0) == .programme })
    #expect(Self.step(&detector, 900) == .programme && !detector.isKnown)
  }
}
