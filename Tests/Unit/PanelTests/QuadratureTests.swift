import Panel
import SeededRandom
import Testing
import Units

/// One edge of a contact, as reported by the kernel.
struct Edge {
  var contact: QuadratureDecoder.Contact
  var isHigh: Bool
  /// Time in milliseconds.
  var at: Double
  /// Index of the click.
  var detent = 0
}

/// A turn of `count` clicks in one direction, each `length` milliseconds long.
struct KnobTurn {
  var count: Int
  var direction: Int
  var length: Double

  /// Returns clean edges from rest to rest. `jitter`: maximum deviation, as a share of a quarter click.
  func edges(from start: Double, jitter: Double = 0, using random: inout SeededGenerator) -> [Edge] {
    var edges: [Edge] = []
    for click in 0..<count {
      for quarter in 0..<4 {
        let isA = (quarter % 2 == 0) == (direction > 0)
        let late = jitter == 0 ? 0 : Double.random(in: -jitter...jitter, using: &random)
        let at = start + length * (Double(click) + (Double(quarter) + 0.5 + late) / 4)
        edges.append(Edge(contact: isA ? .a : .b, isHigh: quarter > 1, at: at, detent: click))
      }
    }
    return edges
  }
}

extension [Edge] {
  /// Adds to each edge up to `longest` ms of chatter that ends in the edge's state.
  func bouncing(upTo longest: Double, pairs most: Int = 4, using random: inout SeededGenerator) -> [Edge] {
    var noisy: [Edge] = []
    for (index, edge) in enumerated() {
      noisy.append(edge)
      let next = self[(index + 1)...].first { $0.contact == edge.contact }?.at ?? .infinity
      let end = Swift.min(edge.at + Double.random(in: 0...longest, using: &random), next)
      let toggles = 2 * Int.random(in: 0...most, using: &random)
      let moments = (0..<toggles).map { _ in Double.random(in: edge.at...end, using: &random) }.sorted()
      for (toggle, moment) in moments.enumerated() {
        noisy.append(
          Edge(
            contact: edge.contact, isHigh: toggle % 2 == 0 ? !edge.isHigh : edge.isHigh, at: moment,
            detent: edge.detent))
      }
    }
    return noisy.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  /// Removes up to `most` edges of each click.
  func losing(upTo most: Int, using random: inout SeededGenerator) -> [Edge] {
    var dropped: Set<Int> = []
    for detent in Set(map(\.detent)).sorted() {
      let own = indices.filter { self[$0].detent == detent }
      for _ in 0..<Int.random(in: 0...most, using: &random) {
        if let victim = own.randomElement(using: &random) { dropped.insert(victim) }
      }
    }
    return indices.filter { !dropped.contains($0) }.map { self[$0] }
  }
}

extension QuadratureDecoder {
  mutating func steps(of edges: [Edge]) -> [Int] {
    edges.flatMap { edge in
      let steps = self.edge(edge.contact, isHigh: edge.isHigh, at: MonotonicTime(seconds: edge.at / 1000))
      return Array(repeating: steps.signum(), count: abs(steps))
    }
  }
}

struct QuadratureTests {
  @Test("Clean turns give every step", arguments: [+1, -1], [5.0, 8, 20, 100, 1000])
  func clean(_ direction: Int, _ length: Double) {
    var random = SeededGenerator(1)
    for jitter in [0, 0.3] {
      for (detent, factor) in [(QuadratureDecoder.Detent.full, 1), (.half, 2)] {
        var decoder = QuadratureDecoder(detent: detent)
        let turn = KnobTurn(count: 200, direction: direction, length: length)
        let steps = decoder.steps(of: turn.edges(from: 10, jitter: jitter, using: &random))
        #expect(steps == Array(repeating: direction, count: 200 * factor))
      }
    }
  }

  @Test("A hand-turned knob gives every step, however it bounces", arguments: [+1, -1])
  func bouncyByHand(_ direction: Int) {
    var random = SeededGenerator(2)
    for (length, noise) in [(17.0, 1.0), (40.0, 5.0), (200.0, 5.0)] {
      var decoder = QuadratureDecoder()
      let turn = KnobTurn(count: 100, direction: direction, length: length)
      let steps = decoder.steps(
        of: turn.edges(from: 10, jitter: 0.2, using: &random).bouncing(upTo: noise, using: &random))
      #expect(steps == Array(repeating: direction, count: 100), "\(length) ms a click, \(noise) ms of noise")
    }
  }

  @Test(
    "Bounces, lost edges and fast turns never give a step in the wrong direction (D5)",
    arguments: 0..<10 as Range<UInt64>)
  func neverBackwards(_ seed: UInt64) {
    var random = SeededGenerator(seed)
    var wrong = 0
    var right = 0
    for _ in 0..<500 {
      var decoder = QuadratureDecoder()
      var start = 10.0
      for _ in 0..<6 {
        let slow = Double.random(in: 0...1, using: &random)
        let turn = KnobTurn(
          count: Int.random(in: 1...12, using: &random), direction: Bool.random(using: &random) ? 1 : -1,
          length: 5 + 150 * slow * slow * slow)
        var edges = turn.edges(from: start, jitter: 0.4, using: &random)
        if Bool.random(using: &random) {
          edges = edges.bouncing(
            upTo: Double.random(in: 0.1...5, using: &random), pairs: Int.random(in: 1...4, using: &random),
            using: &random)
        }
        edges = edges.losing(upTo: Int.random(in: 0...2, using: &random), using: &random)
        let steps = decoder.steps(of: edges)
        wrong += steps.count { $0 != turn.direction }
        right += steps.count { $0 == turn.direction }
        start += turn.length * Double(turn.count + 1) + Double.random(in: 50...200, using: &random)
      }
    }
    #expect(wrong == 0)
    #expect(right > 5_000)
  }

  @Test("A walk around the cycle faster than any hand gives no step (D5)", arguments: [+1, -1])
  func impossible(_ direction: Int) {
    var random = SeededGenerator(4)
    var decoder = QuadratureDecoder()
    let chance = KnobTurn(count: 6, direction: direction, length: 2.8)
    #expect(decoder.steps(of: chance.edges(from: 10, using: &random)) == [])
    // The fastest turn after a pause counts.
    let turn = KnobTurn(count: 6, direction: direction, length: 5)
    #expect(decoder.steps(of: turn.edges(from: 200, using: &random)) == Array(repeating: direction, count: 6))
  }

  @Test("Turns so fast that both contacts always bounce never go back", arguments: [+1, -1])
  func chatter(_ direction: Int) {
    var random = SeededGenerator(3)
    var wrong = 0
    for _ in 0..<1000 {
      var decoder = QuadratureDecoder()
      let turn = KnobTurn(count: 30, direction: direction, length: Double.random(in: 5...9, using: &random))
      let edges = turn.edges(from: 10, jitter: 0.4, using: &random).bouncing(upTo: 5, pairs: 1, using: &random)
      wrong += decoder.steps(of: edges.losing(upTo: 2, using: &random)).count { $0 != direction }
    }
    #expect(wrong == 0)
  }

  /// Each row: the rule, the edges, the start of the turn in milliseconds, and the direction.
  /// An edge is a contact, `+` or `-`, and its time in milliseconds. Direction 0 is a touch without a turn.
  static let doubts = [
    (
      "noises that overlap, behind a turn",
      "a-10.8 b-13.5 a+16.7 b+20.2 a-21.8 b-24.4 a+26.3 b+29.1 a-115.8 b-116.7 b+117.4 b-118.1 a+118.9 b+119.6",
      100.0, -1
    ),
    ("two noises that look like a click", "a-11.9 b-13.5 a+14.5 b+15.5", 0, -1),
    (
      "noises that look like three clicks, faster than a hand",
      "a-10 b-10.4 a+10.8 b+11.2 a-11.6 b-12 a+12.4 b+12.8 a-13.2 b-13.6 a+14 b+14.4", 0, 0
    ),
  ]

  @Test("Noise and lost edges give no reverse step, rule by rule (D5)", arguments: doubts)
  func doubtful(_ rule: String, _ edges: String, _ start: Double, _ direction: Int) throws {
    var decoder = QuadratureDecoder()
    for edge in edges.split(separator: " ") {
      let at = try #require(Double(edge.dropFirst(2)))
      let step = decoder.edge(
        edge.hasPrefix("a") ? .a : .b, isHigh: edge.dropFirst().hasPrefix("+"), at: MonotonicTime(seconds: at / 1000))
      #expect(at < start || step == 0 || step.signum() == direction, "\(at) ms")
    }
  }

  @Test("Every way to lose two edges per detent, over three detents, is covered", arguments: [5.0, 30, 200])
  func everyLoss(_ length: Double) {
    var random = SeededGenerator(0)
    let losses = (0..<16).filter { $0.nonzeroBitCount <= 2 }
    var wrong = 0
    for code in 0..<11 * 11 * 11 {
      let chosen = [1, 11, 121].map { losses[code / $0 % 11] }
      for turned in 0...3 {
        // Detents in one direction, then back.
        var edges = KnobTurn(count: turned, direction: 1, length: length).edges(from: 10, using: &random)
        let back = KnobTurn(count: 3 - turned, direction: -1, length: length)
        edges += back.edges(from: 60 + length * Double(turned + 1), using: &random)
        let kept = edges.indices.filter { chosen[$0 / 4] >> ($0 % 4) & 1 == 0 }.map { edges[$0] }
        var decoder = QuadratureDecoder()
        for edge in kept {
          let step = decoder.edge(edge.contact, isHigh: edge.isHigh, at: MonotonicTime(seconds: edge.at / 1000))
          let isForth = edge.at <= 10 + length * Double(turned)
          if step != 0, step.signum() != (isForth ? 1 : -1) { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0)
  }
}
