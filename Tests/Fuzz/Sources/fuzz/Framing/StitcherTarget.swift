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
    if isLate { for number in 0..<(Stitcher.capacity - 3) { stitcher.hold(1_000 + UInt64(number)) } }
    let expected = Int(recipe.byte())
    let count = recipe.number(0...24)
    let held = recipe.take(count).map { UInt64($0 & 7) }
    for hash in held { stitcher.hold(hash) }
    var fresh: [UInt64] = []
    var places = Places(held, fresh, isLate: isLate)
    var isFound = false
    while !recipe.isOver, !isFound {
      let hash = UInt64(recipe.byte() & 7)
      fresh.append(hash)
      places = Places(held, fresh, isLate: isLate)
      isFound = check(stitcher.offer(hash), places)
    }
    if !held.isEmpty { check(settled: stitcher.settle(expecting: expected), places) }
  }

  /// Whether the verdict ends the search.
  private func check(_ verdict: Stitcher.Verdict, _ places: Places) -> Bool {
    switch verdict {
    case .overlap(let count, let isProven):
      expect(places.complete.contains(count), "an overlap is the same right through to the last held packet")
      expect(places.open.isEmpty, "an overlap is told when no place is left open")
      expect(isProven == places.isProven(count), "it is proven where it is the only one, and longer than one packet")
      return isProven
    case .open:
      expect(!places.open.isEmpty || places.complete.isEmpty, "a search is open while a place is, or none was found")
      return false
    case .none:
      expect(places.isHopeless, "no place is denied that there is")
      return true
    }
  }

  private func check(settled verdict: Stitcher.Verdict, _ places: Places) {
    switch verdict {
    case .overlap(let count, let isProven):
      expect(places.complete.contains(count), "what is settled for is a place")
      expect(isProven == places.isProven(count), "and proven where it is the only one")
    case .none, .open: expect(places.complete.isEmpty, "what is settled for is one of the places")
    }
  }
}

/// Every way in which new packets may lie to the held ones, tried out.
private struct Places {
  /// The overlaps that reach the last held packet.
  private(set) var complete: [Int] = []
  /// Places that have not come to it yet, as distances from the oldest held.
  private(set) var open: [Int] = []
  private let heldCount: Int

  /// `isLate` says that other packets, unlike any new one, are held before these.
  init(_ held: [UInt64], _ fresh: [UInt64], isLate: Bool) {
    heldCount = isLate ? Stitcher.capacity : held.count
    for place in (isLate ? 0 : 1 - fresh.count)..<max(held.count, 2 - fresh.count) {
      let shared = max(0, -place)..<max(0, -place, min(fresh.count, held.count - place))
      guard !shared.isEmpty, shared.allSatisfy({ fresh[$0] == held[place + $0] }) else { continue }
      let overlap = held.count - place
      if overlap <= fresh.count { complete.append(overlap) } else { open.append(place) }
    }
  }

  var isHopeless: Bool { complete.isEmpty }

  func isProven(_ overlap: Int) -> Bool {
    complete.count == 1 && open.isEmpty && min(overlap, heldCount) >= 2
  }
}
