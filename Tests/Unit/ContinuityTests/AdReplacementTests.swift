import Continuity
import Testing
import Units

/// The replacement of announced ads by a fallback (B4), with a simulated clock.
struct AdReplacementTests {
  typealias Bench = ContinuityTests.Bench

  /// The first choice is audible at an ad.
  private static func isAd(_ facts: inout Continuity.Facts) { (facts.isAudible, facts.isAd) = (true, true) }

  /// A fallback is audible, and the first choice is received at its ad.
  private static func isReplaced(_ facts: inout Continuity.Facts) {
    (facts.isAudible, facts.isSteady, facts.isFirstChoiceAtAd) = (true, true, true)
  }

  /// Creates a chain whose first fallback has replaced an ad for seconds.
  private static func replacing(for seconds: Double) -> Bench {
    var bench = Bench()
    _ = bench.pass(0.5, isAd)
    _ = bench.pass(seconds, isReplaced)
    return bench
  }

  @Test("The first fallback plays until the ad is over, and the first choice is received meanwhile (B4)")
  func replaces() {
    var bench = Bench()
    #expect(bench.hear(100) == [])
    #expect(bench.pass(0.5, Self.isAd) == [.receive(true), .failOver(to: 1, .ad)])
    #expect(bench.chain.reason == .ad && bench.chain.isReceiving)
    #expect(bench.pass(30, Self.isReplaced) == [])
    #expect(bench.hear(0.5, isSteady: true) == [.comeBack, .receive(false)])
    #expect(bench.hear(0.5) == [.report(after: Duration(milliseconds: 31_000))])
    #expect(!bench.chain.isAway && bench.chain.reason == nil)
  }

  @Test("A file does not delay the return after an ad")
  func file() {
    var bench = Bench()
    _ = bench.pass(0.5, Self.isAd)
    let during = bench.pass(30) {
      Self.isReplaced(&$0)
      $0.isFile = true
    }
    #expect(during == [])
    #expect(bench.hear(0.5, isSteady: true, isFile: true) == [.comeBack, .receive(false)])
  }

  @Test("The end of a file continues with the next file while the ad lasts")
  func nextFile() {
    var bench = Self.replacing(for: 20)
    let actions = bench.pass(0.5) {
      Self.isReplaced(&$0)
      ($0.isAudible, $0.isOver, $0.isFile) = (false, true, true)
    }
    #expect(actions == [.playNext])
  }

  @Test("An ad is replaced for a quarter of an hour at most")
  func endless() {
    var bench = Bench()
    _ = bench.pass(0.5, Self.isAd)
    #expect(bench.pass(899, Self.isReplaced) == [])
    #expect(bench.pass(1, Self.isReplaced) == [.comeBack, .receive(false)])
    #expect(bench.pass(1, Self.isAd).count == 1)
    #expect(bench.pass(590, Self.isAd) == [])
  }

  @Test("Marks that alternate cause at most twelve replacements in an hour")
  func alternating() {
    var (bench, count) = (Bench(), 0)
    for _ in 0..<90 {
      count += bench.pass(0.5, Self.isAd).count { $0 == .failOver(to: 1, .ad) }
      _ = bench.pass(1, Self.isReplaced)
      _ = bench.hear(0.5, isSteady: true)
      _ = bench.hear(38)
    }
    #expect(count == 12)
  }

  @Test("Without a usable file, the first choice plays on without an interruption", arguments: [false, true])
  func unreadable(isFaulty: Bool) {
    var bench = Bench(1)
    _ = bench.pass(0.5, Self.isAd)
    let actions = bench.pass(isFaulty ? 0.5 : 5) { ($0.isFirstChoiceHeard, $0.isFaulty) = (true, isFaulty) }
    #expect(actions == [.stay, .receive(false)] && !bench.chain.isAway)
    #expect(bench.pass(590, Self.isAd) == [])
  }

  @Test("An ad that follows soon after the return is heard, so that marks cause few changes")
  func pace() {
    var bench = Self.replacing(for: 10)
    _ = bench.hear(0.5, isSteady: true)
    _ = bench.hear(0.5)
    #expect(bench.pass(28, Self.isAd) == [])
    #expect(bench.pass(2, Self.isAd) == [.receive(true), .failOver(to: 1, .ad)])
  }

  @Test("Fallbacks without audio are left for the ad, and tried again ten minutes later", arguments: [false, true])
  func silent(isFaulty: Bool) {
    var bench = Bench()
    _ = bench.pass(0.5, Self.isAd)
    let fail: (inout Continuity.Facts) -> Void = {
      ($0.isSteady, $0.isFirstChoiceAtAd, $0.isFaulty) = (true, true, isFaulty)
    }
    // The next fallback is tried only after a fault.
    if isFaulty { #expect(bench.pass(0.5, fail) == [.failOver(to: 2, .fault)] && bench.chain.reason == .ad) }
    #expect(bench.pass(isFaulty ? 0.5 : 5, fail) == [.comeBack, .receive(false)])
    #expect(bench.pass(1, Self.isAd).count == 1)
    #expect(bench.pass(590, Self.isAd) == [])
    #expect(bench.pass(15, Self.isAd) == [.receive(true), .failOver(to: 1, .ad)])
  }

  @Test("A first choice that is lost during its ad returns after the ad, once it is received steadily")
  func lost() {
    var bench = Self.replacing(for: 5)
    #expect(bench.hear(0.5) == [.receive(false)])
    #expect(bench.hear(9.5) == [])
    #expect(bench.hear(0.5) == [.receive(true)])
    #expect(bench.pass(5, Self.isReplaced) == [])
    #expect(bench.hear(5, isSteady: true) == [])
    #expect(bench.hear(0.5, isSteady: true) == [.comeBack, .receive(false)])
  }

  @Test("A first choice with a new connection returns after steady audio, since it may begin with an ad (B4)")
  func newConnection() {
    var bench = Bench()
    _ = bench.pass(0.5, Self.isAd)
    // The fallback replaces the first choice, and a new connection follows.
    #expect(bench.hear(1) == [])
    #expect(bench.hear(9.5, isSteady: true) == [])
    #expect(bench.hear(1, isSteady: true) == [.comeBack, .receive(false)])
  }

  @Test("A first choice that is heard while files are read is not silent", arguments: [1, 2])
  func reading(stepCount: Int) {
    var chain = Continuity()
    let rules = ContinuityRules(stepCount: stepCount, hasTone: true, fallbackAfter: Duration(seconds: 2))
    var bench = Bench()
    _ = chain.tune(rules, at: bench.now)
    bench.chain = chain
    _ = bench.pass(0.5, Self.isAd)
    #expect(bench.pass(4.5) { $0.isFirstChoiceHeard = true } == [])
    #expect(bench.pass(0.5) { $0.isFirstChoiceHeard = true } == [.stay, .receive(false)])
  }

  @Test("A first choice that is silent after its ad is left for a longer time, as usual")
  func fails() {
    var bench = Self.replacing(for: 5)
    _ = bench.hear(0.5, isSteady: true)
    #expect(bench.pass(15.5) == [.failOver(to: 1, .silence)])
    #expect(bench.chain.reason == .silence)
    #expect(bench.hear(10.5) == [.receive(true)])
    // As after each failure, enough steady audio comes first.
    #expect(bench.hear(9, isSteady: true) == [])
  }

  @Test("Without a fallback, and with only the tone, an ad is heard", arguments: [false, true])
  func none(hasTone: Bool) {
    var bench = Bench(0, hasTone: hasTone)
    #expect(bench.pass(100, Self.isAd) == [])
  }
}
