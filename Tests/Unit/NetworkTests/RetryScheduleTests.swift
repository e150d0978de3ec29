import Testing
import Units

@testable import Network

/// Retries of failed attempts, with a simulated clock.
struct RetryScheduleTests {
  private static func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: 1_000 + seconds) }
  private func tries() -> RetrySchedule { RetrySchedule(at: Self.time(0), seed: 1) }

  @Test(
    "A failed search restarts if a failure was temporary and time is left",
    arguments: [
      // `mayPass` of each failure, the time, and the server's Retry-After in seconds; true if allowed.
      ([true], 1, 0, true), ([false], 1, 0, false), ([false, true], 1, 0, true), ([true, false], 1, 0, true),
      ([true], 29, 0, true), ([true], 30, 0, false), ([true], 1, 28, true), ([true], 1, 29, false), ([], 1, 0, false),
    ] as [([Bool], Double, Int, Bool)])
  func round(failures: [Bool], now: Double, retryAfter: Int, isAllowed: Bool) {
    var tries = tries()
    tries.recordTry(at: Self.time(0))
    for mayPass in failures { tries.recordFailure(mayPass: mayPass) }
    if retryAfter > 0 { tries.recordRefusal(forSeconds: retryAfter, at: Self.time(now)) }
    #expect(tries.allowsRound(within: Duration(seconds: 30), at: Self.time(now)) == isAllowed)
    tries.recordPlaying()
    #expect(!tries.allowsRound(within: Duration(seconds: 30), at: Self.time(now)))
  }

  @Test("The first 32 failing entries are skipped at once, local files always")
  func entries() {
    var (web, local) = (tries(), tries())
    for tries in 0..<40 {
      let now = Self.time(Double(tries) / 100)
      web.recordTry(at: now)
      local.recordTry(at: now)
      let (next, nextFile) = (web.nextEntry(isLocal: false, at: now), local.nextEntry(isLocal: true, at: now))
      #expect(next == (tries < 32 ? now : now + ReconnectPolicy.minInterval) && nextFile == now)
    }
    // A list that failed once is retried no faster than a stream.
    var again = tries()
    again.recordTry(at: Self.time(0))
    _ = again.planTry(after: Self.time(0))
    let next = again.nextEntry(isLocal: false, at: Self.time(0))
    #expect(next == Self.time(1))
  }

  @Test("Retry-After is obeyed up to 300 s, until the next request")
  func refused() {
    for (asked, granted) in [(-5, 0.0), (0, 0), (20, 20), (9_999, 300)] {
      var tries = tries()
      tries.recordRefusal(forSeconds: asked, at: Self.time(0))
      #expect(tries.earliestTry(after: Self.time(0)) == Self.time(granted))
      tries.recordTry(at: Self.time(1))
      #expect(tries.earliestTry(after: Self.time(5)) == Self.time(5))
    }
  }

  @Test("Losses are counted once played, until audio proves a connection")
  func losses() {
    var tries = tries()
    func lose(_ count: Int) -> [Int] { (0..<count).map { _ in tries.countLoss() } }
    let before = lose(1)
    #expect(before == [0] && !tries.hasPlayed)
    tries.recordPlaying()
    let first = lose(3)
    tries.recordPlaying()
    let later = lose(1)
    #expect(first == [1, 2, 3] && later == [4] && tries.hasPlayed)
    tries.succeed()
    let proven = lose(1)
    #expect(proven == [1])
  }

  @Test("The number of retries is limited, counted since the last audio")
  func retry() {
    var tries = tries()
    tries.recordPlaying()
    #expect(!tries.allowsMore(.times(0)) && tries.allowsMore(.forever))
    for count in 1...3 {
      _ = tries.planTry(after: Self.time(Double(count)))
      #expect(tries.attempt == count && tries.allowsMore(.times(3)) == (count < 3))
    }
    tries.succeed()
    #expect(tries.attempt == 0 && tries.allowsMore(.times(3)))
  }

  @Test("A rested search gets its time again, a station keeps its losses")
  func resume() {
    var tries = tries()
    tries.recordFailure(mayPass: true)
    let moment = tries.resume(at: Self.time(100))
    #expect(moment == Self.time(100))
    #expect(tries.allowsRound(within: Duration(seconds: 30), at: Self.time(129)))
    tries.recordPlaying()
    _ = tries.countLoss()
    _ = tries.resume(at: Self.time(200))
    let losses = tries.countLoss()
    #expect(losses == 2)
  }

  @Test("A missing network is reported once until audio; other faults each time")
  func outage() {
    let gone = PlaybackFault(.error(.noNetwork), url: "")
    let silent = PlaybackFault(.silence(seconds: 3), url: "")
    var outage = Outage()
    let told = [gone, gone, silent, silent, gone].map { outage.shouldReport($0) }
    #expect(told == [true, false, true, true, false])
    outage.recordPacket()
    let again = outage.shouldReport(gone)
    #expect(again)
    outage.beginTry()
    #expect(outage.isInDoubt)
    let doubts = [outage.endDoubt(), outage.isInDoubt, outage.endDoubt()]
    #expect(doubts == [true, false, false])
    outage.spareFailed(silent)
    let reasons = [outage.removeSpareFault(), outage.removeSpareFault()]
    #expect(reasons == [silent, nil])
    outage.spareFailed(silent)
    outage.clearSpareFault()
    let forgotten = outage.removeSpareFault()
    #expect(forgotten == nil)
  }

  @Test("Bytes without audio delay the next try to 256 KiB/s, up to 5 min")
  func cost() {
    var tries = tries()
    tries.recordTry(at: Self.time(0))
    tries.recordCost(2 << 20, since: Self.time(0))
    #expect(tries.earliestTry(after: Self.time(2)) == Self.time(8))
    #expect(tries.planTry(after: Self.time(2)) == Self.time(8))
    #expect(tries.nextEntry(isLocal: false, at: Self.time(2)) == Self.time(8))
    tries.recordTry(at: Self.time(8))
    #expect(tries.earliestTry(after: Self.time(10)) == Self.time(10))
    tries.recordCost(.max, since: Self.time(10))
    #expect(tries.earliestTry(after: Self.time(11)) == Self.time(310))
  }
}
