import Framing

/// Stitches new packets to buffered packets and compares the result with a simple implementation of the definition.
/// There are only a few different packets, so that sequences often repeat.
final class Stitching: FuzzTarget {
  static let name = "stitcher"
  static let longest = 70
  static let seeds: [[UInt8]] = [
    [0, 0, 6, 1, 2, 3, 4, 5, 6, 4, 5, 6, 7], [0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 9, 3, 1, 2, 3, 7, 8, 1, 2, 3, 4],
    [1, 0, 12, 1, 2, 3, 1, 2, 3, 1, 2, 3],
  ]
  private var stitcher = Stitcher()

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    stitcher.removeAll()
    // Sometimes more packets than the stitcher remembers; the added packets differ from all new packets.
    let isLate = recipe.byte() == 1
    if isLate { for number in 0..<(Stitcher.capacity - 3) { stitcher.recordBuffered(print(1_000 + number)) } }
    let expected = Int(recipe.byte())
    let count = recipe.number(0...24)
    let held = recipe.take(count).map { Int($0 & 15) }
    for number in held { stitcher.recordBuffered(print(number)) }
    var fresh: [Int] = []
    while !recipe.isOver {
      fresh.append(Int(recipe.byte() & 15))
      let place = stitcher.offer(print(fresh[fresh.count - 1]))
      if !isLate && held.isEmpty { continue }
      let places = Places(held, fresh, isLate: isLate)
      expect(place == (places.isOne ? places.complete[0] : nil), "a place is told when it is the only one")
      check(stitcher.verdict(expecting: expected), places, expected)
    }
  }

  /// Every second packet is rich.
  private func print(_ number: Int) -> PacketPrint { PacketPrint(hash: UInt64(number) << 1, isRich: number & 1 == 1) }

  private func check(_ verdict: Stitcher.Verdict, _ places: Places, _ expected: Int) {
    switch verdict {
    case .overlap(let count, let isProven):
      expect(places.complete.contains(count), "an overlap is the same right through to the last held packet")
      let nearest = places.complete.map { abs($0 - expected) }.min()
      expect(abs(count - expected) == nearest, "of several the clock's is taken")
      expect(isProven == places.isProven(count), "it is proven where it is the only one, and enough came but once")
    case .inside:
      expect(places.complete.isEmpty && !places.open.isEmpty, "what lies inside has a place, and no end yet")
    case .none: expect(places.complete.isEmpty && places.open.isEmpty, "no place is denied that there is")
    }
  }
}

/// All positions of the new packets relative to the buffered packets, found by trying each.
private struct Places {
  /// Overlaps that include the last buffered packet.
  private(set) var complete: [Int] = []
  /// Positions before that, as distances from the oldest buffered packet.
  private(set) var open: [Int] = []
  private let held: [Int]
  private let fresh: [Int]

  /// `isLate`: other packets, different from all new packets, precede the buffered packets.
  init(_ held: [Int], _ fresh: [Int], isLate: Bool) {
    (self.held, self.fresh) = (held, fresh)
    for place in (isLate ? 0 : 1 - fresh.count)..<max(held.count, 2 - fresh.count) {
      let shared = max(0, -place)..<max(0, -place, min(fresh.count, held.count - place))
      guard !shared.isEmpty, shared.allSatisfy({ fresh[$0] == held[place + $0] }) else { continue }
      let overlap = held.count - place
      if overlap <= fresh.count { complete.append(overlap) } else { open.append(place) }
    }
  }

  /// True if there is exactly one complete overlap and no open position.
  var isOne: Bool { complete.count == 1 && open.isEmpty }

  func isProven(_ overlap: Int) -> Bool {
    let single = fresh.prefix(overlap).suffix(held.count).filter { number in
      held.count { $0 == number } == 1 && fresh.count { $0 == number } == 1
    }
    return isOne && single.reduce(0) { $0 + ($1 & 1 == 1 ? 6 : 1) } >= 12
  }
}
