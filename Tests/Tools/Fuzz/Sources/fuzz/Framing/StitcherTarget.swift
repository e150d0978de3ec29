import Framing

/// New packets against held ones, of an alphabet so small that much repeats, against a plain reading of the definition.
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
    stitcher.forget()
    // More than is remembered, now and then; none of it comes again.
    let isLate = recipe.byte() == 1
    if isLate { for number in 0..<(Stitcher.capacity - 3) { stitcher.hold(print(1_000 + number)) } }
    let expected = Int(recipe.byte())
    let count = recipe.number(0...24)
    let held = recipe.take(count).map { Int($0 & 15) }
    for number in held { stitcher.hold(print(number)) }
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

  /// One in two has much in it.
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

/// Every way in which new packets may lie to the held ones, tried out.
private struct Places {
  /// The overlaps that reach the last held packet.
  private(set) var complete: [Int] = []
  /// Places that have not come to it yet, as distances from the oldest held.
  private(set) var open: [Int] = []
  private let held: [Int]
  private let fresh: [Int]

  /// `isLate` says that other packets, unlike any new one, are held before these.
  init(_ held: [Int], _ fresh: [Int], isLate: Bool) {
    (self.held, self.fresh) = (held, fresh)
    for place in (isLate ? 0 : 1 - fresh.count)..<max(held.count, 2 - fresh.count) {
      let shared = max(0, -place)..<max(0, -place, min(fresh.count, held.count - place))
      guard !shared.isEmpty, shared.allSatisfy({ fresh[$0] == held[place + $0] }) else { continue }
      let overlap = held.count - place
      if overlap <= fresh.count { complete.append(overlap) } else { open.append(place) }
    }
  }

  /// Whether there is one and no other, and its end has come.
  var isOne: Bool { complete.count == 1 && open.isEmpty }

  func isProven(_ overlap: Int) -> Bool {
    let single = fresh.prefix(overlap).suffix(held.count).filter { number in
      held.count { $0 == number } == 1 && fresh.count { $0 == number } == 1
    }
    return isOne && single.reduce(0) { $0 + ($1 & 1 == 1 ? 6 : 1) } >= 12
  }
}
