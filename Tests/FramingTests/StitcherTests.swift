import Framing
import Testing

/// Packets are numbers here: 7 is always the same packet.
struct StitcherTests {
  /// What a stitcher says to the last of `fresh` after `held`, and the verdict where no more time is left.
  private func verdicts(
    _ held: some Sequence<UInt64>, _ fresh: some Sequence<UInt64>, expecting expected: Int = 0
  ) -> (last: Stitcher.Verdict, settled: Stitcher.Verdict) {
    var stitcher = Stitcher()
    for hash in held { stitcher.hold(hash) }
    stitcher.begin()
    var last = Stitcher.Verdict.none
    for hash in fresh { last = stitcher.offer(hash) }
    return (last, stitcher.settle(expecting: expected))
  }

  @Test(
    "An overlap reaches right through to the last packet held, and not before it does",
    arguments: [
      (8...10, .overlap(3, isProven: true)), (1...10, .overlap(10, isProven: true)), (8...9, .open), (8...8, .open),
      (9...10, .overlap(2, isProven: true)), (11...20, .open),
    ] as [(ClosedRange<UInt64>, Stitcher.Verdict)])
  func overlaps(_ fresh: ClosedRange<UInt64>, _ verdict: Stitcher.Verdict) {
    #expect(verdicts(1...10, fresh).last == verdict)
  }

  @Test func aBurstMayReachBackBeforeAllThatIsHeld() {
    #expect(verdicts(5...10, 1...10).last == .overlap(10, isProven: true))
  }

  @Test func onePacketThatIsTheSameProvesNothing() {
    #expect(verdicts(1...10, [10]).last == .overlap(1, isProven: false))
    #expect(verdicts([10], 1...10).last == .overlap(10, isProven: false))
  }

  @Test("Of places that all fit none is proven, and the clock's is taken", arguments: [(1, 1), (4, 4), (9, 6)])
  func repeats(_ expected: Int, _ overlap: Int) {
    let (last, settled) = verdicts(Array(repeating: 7, count: 6), Array(repeating: 7, count: 6), expecting: expected)
    #expect(last == .open, "more of the same may come")
    #expect(settled == .overlap(overlap, isProven: false))
  }

  @Test func whatNeverWasHeldHasNoPlace() {
    let (last, settled) = verdicts(1...10, 11...30)
    #expect(last == .open)
    #expect(settled == .none)
    #expect(verdicts([], 1...3) == (.none, .none))
  }

  @Test(
    "However long a station played, its newest packets are remembered",
    arguments: [Stitcher.capacity - 1, Stitcher.capacity, Stitcher.capacity + 1, 3 * Stitcher.capacity + 1_000])
  func remembers(_ count: Int) {
    let last = UInt64(count)
    #expect(verdicts(1...last, (last - 49)...last).last == .overlap(50, isProven: true))
    let oldest = last - UInt64(min(count, Stitcher.capacity)) + 1
    #expect(verdicts(1...last, oldest...last).last == .overlap(min(count, Stitcher.capacity), isProven: true))
  }

  @Test func whatWasForgottenIsNotCompared() {
    var stitcher = Stitcher()
    for hash in 1...10 as ClosedRange<UInt64> { stitcher.hold(hash) }
    stitcher.forget()
    let isEmpty = stitcher.isEmpty
    #expect(isEmpty)
    let verdict = stitcher.offer(9)
    #expect(verdict == .none)
  }
}
