import Testing
import Units

@testable import Network

/// The pauses of a server, with a simulated clock.
struct ThrottleTests {
  private static func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: 1_000 + seconds) }

  @Test("A full ring is reported after a second, then every ten seconds")
  func full() {
    var throttle = Throttle()
    let told = stride(from: 0.0, through: 25, by: 0.5).filter { throttle.mustReportFull(true, at: Self.time($0)) }
    #expect(told == [1, 11, 21])
    let (none, first) = (
      throttle.mustReportFull(false, at: Self.time(26)), throttle.mustReportFull(true, at: Self.time(27))
    )
    throttle.endPause()
    let anew = [27.5, 28, 28.5].map { throttle.mustReportFull(true, at: Self.time($0)) }
    #expect(!none && !first && anew == [false, false, true])
    // One second in which the buffer counts as full without interruption.
    throttle.endPause()
    let broken = [(30.0, true), (30.5, false), (31.5, true), (32.5, true)].map {
      throttle.mustReportFull($1, at: Self.time($0))
    }
    #expect(broken == [false, false, false, true])
  }

  @Test("The shortage is known until the next poll, at the consumer's pace")
  func shortage() {
    var throttle = Throttle()
    #expect(throttle.lastRoom == .ample)
    throttle.recordPause(.satisfied, ahead: StreamTime(seconds: 20))
    #expect(throttle.lastRoom == .satisfied && throttle.interval == Duration(milliseconds: 100))
    throttle.recordCheck(.full, ahead: StreamTime(seconds: 20))
    #expect(throttle.lastRoom == .full)
    throttle.recordCheck(.ample, ahead: StreamTime(seconds: 9))
    #expect(throttle.lastRoom == .ample && throttle.interval == Duration(milliseconds: 5))
    // A paused listener consumes nothing, until the server must wait again.
    for _ in 0..<38 { throttle.recordCheck(.full, ahead: StreamTime(seconds: 20)) }
    #expect(throttle.interval == Duration(milliseconds: 100))
    throttle.recordPause(.full, ahead: StreamTime(seconds: 20))
    #expect(throttle.interval == Duration(milliseconds: 5))
  }

  /// Milliseconds between checks for a paused server: with the whole buffer left, and with less than half.
  private static func row(_ room: RoomState) -> (slow: Int64, quick: Int64) {
    switch room {
    case .ample: (100, 5)
    case .full, .satisfied: (100, 100)
    }
  }

  @Test(
    "Each poll renews the shortage, and only ample room quickens the pace",
    arguments: [RoomState.ample, .full, .satisfied])
  func rooms(room: RoomState) {
    for before in [RoomState.ample, .full, .satisfied] {
      var throttle = Throttle()
      throttle.recordPause(before, ahead: StreamTime(seconds: 20))
      #expect(throttle.lastRoom == before)
      throttle.recordPause(room, ahead: StreamTime(seconds: 20))
      #expect(throttle.lastRoom == room && throttle.interval == Duration(milliseconds: 100))
      for (ahead, interval) in [(20.0, Self.row(room).slow), (9, Self.row(room).quick)] {
        var throttle = Throttle()
        throttle.recordPause(before, ahead: StreamTime(seconds: 20))
        throttle.recordCheck(room, ahead: StreamTime(seconds: ahead))
        #expect(throttle.lastRoom == room && throttle.interval == Duration(milliseconds: interval))
      }
    }
  }
}
