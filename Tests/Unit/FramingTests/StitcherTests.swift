import Framing
import Testing

/// Packets are numbers here: equal numbers are equal packets, and all are rich in content.
struct StitcherTests {
  /// The verdict on `fresh` after `held`, and the place after the last packet if only one place is left.
  private func verdict(
    _ held: some Sequence<UInt64>, _ fresh: some Sequence<UInt64>, expecting expected: Int = 0
  ) -> (place: Int?, verdict: Stitcher.Verdict) {
    var stitcher = Stitcher()
    for number in held { stitcher.recordBuffered(packet(number)) }
    stitcher.beginComparison()
    var place: Int?
    for number in fresh { place = stitcher.offer(packet(number)) }
    return (place, stitcher.verdict(expecting: expected))
  }

  private func packet(_ number: UInt64) -> PacketPrint { PacketPrint(hash: number << 1, isRich: true) }

  @Test(
    "An overlap extends to the last buffered packet",
    arguments: [
      (8...10, .overlap(3, isProven: true)), (1...10, .overlap(10, isProven: true)), (8...9, .inside(isProven: true)),
      (8...8, .inside(isProven: false)), (9...10, .overlap(2, isProven: true)), (8...14, .overlap(3, isProven: true)),
      (11...20, .none),
    ] as [(ClosedRange<UInt64>, Stitcher.Verdict)])
  func overlaps(_ fresh: ClosedRange<UInt64>, _ expected: Stitcher.Verdict) {
    let (place, verdict) = verdict(1...10, fresh)
    #expect(verdict == expected)
    #expect(place == (fresh.contains(10) ? Int(11 - fresh.lowerBound) : nil))
  }

  @Test func aBurstMayReachBackBeforeAllThatIsHeld() {
    #expect(verdict(5...10, 1...10) == (10, .overlap(10, isProven: true)))
  }

  @Test(
    "An overlap after other audio counts with a proof",
    arguments: [
      ([100, 101, 8, 9, 10, 11], .overlap(5, isProven: true), 2), ([8, 9, 10, 11], .overlap(3, isProven: true), 0),
      ([100, 10, 11], .none, 0), ([100, 101, 8, 9], .inside(isProven: true), 0),
      ([1, 2, 8, 9, 10], .overlap(5, isProven: true), 2),
      (Array(90...102) + Array(1...10) + [11], .overlap(23, isProven: true), 13), ([100, 101], .none, 0),
    ] as [([UInt64], Stitcher.Verdict, Int)])
  func leads(_ fresh: [UInt64], _ expected: Stitcher.Verdict, _ leading: Int) {
    var stitcher = Stitcher()
    for number in 0...10 as ClosedRange<UInt64> { stitcher.recordBuffered(packet(number)) }
    stitcher.beginComparison(startsAnywhere: true)
    for number in fresh { _ = stitcher.offer(packet(number)) }
    let (verdict, isFound) = (stitcher.verdict(expecting: 0), stitcher.isFound)
    #expect(verdict == expected)
    guard case .overlap(let count, _) = verdict else { return #expect(!isFound) }
    let found = stitcher.leadingCount(of: count)
    #expect(isFound && found == leading)
  }

  @Test func onePacketThatIsTheSameProvesNothing() {
    #expect(verdict(1...10, [10]).verdict == .overlap(1, isProven: false))
    #expect(verdict([10], 1...10).verdict == .overlap(10, isProven: false))
  }

  @Test("Among several matches no position is proven, and the clock's is used", arguments: [(1, 1), (4, 4), (9, 6)])
  func repeats(_ expected: Int, _ overlap: Int) {
    let same = Array(repeating: 7 as UInt64, count: 6)
    #expect(verdict(same, same, expecting: expected) == (nil, .overlap(overlap, isProven: false)))
  }

  @Test func whatNeverWasHeldHasNoPlace() {
    #expect(verdict(1...10, 11...30) == (nil, .none))
    #expect(verdict([], 1...3) == (nil, .none))
  }

  @Test(
    "The newest packets are remembered, however long a station played",
    arguments: [Stitcher.capacity - 1, Stitcher.capacity, Stitcher.capacity + 1, 3 * Stitcher.capacity + 1_000])
  func remembers(_ count: Int) {
    let last = UInt64(count)
    #expect(verdict(1...last, (last - 49)...last).verdict == .overlap(50, isProven: true))
    let oldest = last - UInt64(min(count, Stitcher.capacity)) + 1
    #expect(verdict(1...last, oldest...last).verdict == .overlap(min(count, Stitcher.capacity), isProven: true))
  }

  @Test func whatWasForgottenIsNotCompared() {
    var stitcher = Stitcher()
    for number in 1...10 as ClosedRange<UInt64> { stitcher.recordBuffered(packet(number)) }
    stitcher.removeAll()
    let isEmpty = stitcher.isEmpty
    #expect(isEmpty)
    let place = stitcher.offer(packet(9))
    #expect(place == nil)
  }

  @Test func whatIsKeptOfTheNewIsHeldFromThenOn() {
    var stitcher = Stitcher()
    for number in 1...10 as ClosedRange<UInt64> { stitcher.recordBuffered(packet(number)) }
    for number in 8...14 as ClosedRange<UInt64> { _ = stitcher.offer(packet(number)) }
    stitcher.recordFreshAsBuffered(dropping: 3)
    for number in 9...14 as ClosedRange<UInt64> { _ = stitcher.offer(packet(number)) }
    let verdict = stitcher.verdict(expecting: 0)
    #expect(verdict == .overlap(6, isProven: true))
  }
}
