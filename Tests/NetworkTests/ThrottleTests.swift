import Testing
import Units

@testable import Network

/// How a server is made to wait, on a clock that is only counted.
struct ThrottleTests {
  private static func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: 1_000 + seconds) }

  @Test("that the ring is full is told after a second of it, and every ten seconds from then on")
  func full() {
    var throttle = Throttle()
    let told = stride(from: 0.0, through: 25, by: 0.5).filter { throttle.tellsFull(true, at: Self.time($0)) }
    #expect(told == [1, 11, 21])
    let (none, first) = (throttle.tellsFull(false, at: Self.time(26)), throttle.tellsFull(true, at: Self.time(27)))
    throttle.release()
    let anew = [27.5, 28, 28.5].map { throttle.tellsFull(true, at: Self.time($0)) }
    #expect(!none && !first && anew == [false, false, true])
  }

  @Test("what is short is known until room is looked for again, at the pace of whoever takes sound")
  func shortage() {
    var throttle = Throttle()
    #expect(throttle.shortage == .ample)
    throttle.hold(.satisfied, ahead: StreamTime(seconds: 20))
    #expect(throttle.shortage == .satisfied && throttle.interval == Duration(milliseconds: 100))
    throttle.look(.full, ahead: StreamTime(seconds: 20))
    #expect(throttle.shortage == .full)
    throttle.look(.ample, ahead: StreamTime(seconds: 9))
    #expect(throttle.shortage == .ample && throttle.interval == Duration(milliseconds: 5))
  }
}
