import Testing
import Units

@testable import Network

/// Delivery pace of a connection, with a simulated clock.
struct DeliveryPaceTests {
  private static func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: 1_000 + seconds) }
  private static func sound(_ seconds: Double) -> StreamTime { StreamTime(seconds: seconds) }

  @Test("A burst is a lead that real time consumes; before data there is none")
  func lead() {
    var pace = DeliveryPace()
    #expect(pace.lead(of: Self.sound(3), at: Self.time(0)) == .zero)
    pace.mark(Self.sound(5), at: Self.time(0))
    #expect(pace.lead(of: Self.sound(5), at: Self.time(0)) == Self.sound(5))
    #expect(pace.lead(of: Self.sound(6), at: Self.time(4)) == Self.sound(2))
  }

  @Test("A pause's loss of lead is a lag until caught up, and only a pause's")
  func lag() {
    var pace = DeliveryPace()
    pace.mark(Self.sound(5), at: Self.time(0))
    #expect(pace.lag(of: Self.sound(5)) == 0)
    pace.pause(Self.sound(5), at: Self.time(0))
    pace.pause(Self.sound(5), at: Self.time(1))
    pace.resume(at: Self.time(3))
    pace.mark(Self.sound(5), at: Self.time(3))
    #expect(abs(pace.lag(of: Self.sound(5)) - 3) < 0.001)
    pace.mark(Self.sound(7.5), at: Self.time(3))
    #expect(abs(pace.lag(of: Self.sound(7.5)) - 0.5) < 0.001)
    pace.mark(Self.sound(7.95), at: Self.time(3))
    #expect(pace.lag(of: Self.sound(7.95)) == 0)
    // A slow server is late, but was not paused.
    pace.mark(Self.sound(7.95), at: Self.time(9))
    #expect(pace.lag(of: Self.sound(7.95)) == 0)
  }

  @Test("A server's time excludes our pauses")
  func flowing() {
    var pace = DeliveryPace()
    #expect(pace.flowingTime(at: Self.time(5)) == .zero)
    pace.mark(Self.sound(1), at: Self.time(0))
    #expect(pace.flowingTime(at: Self.time(2)) == Duration(seconds: 2))
    pace.pause(Self.sound(1), at: Self.time(2))
    pace.resume(at: Self.time(12))
    #expect(pace.flowingTime(at: Self.time(13)) == Duration(seconds: 3))
    pace.resume(at: Self.time(13))
    pace.pause(Self.sound(1), at: Self.time(14))
    pace.pause(Self.sound(1), at: Self.time(15))
    #expect(pace.flowingTime(at: Self.time(16)) == Duration(seconds: 4), "nor while it waits")
    pace.resume(at: Self.time(16))
    #expect(pace.flowingTime(at: Self.time(17)) == Duration(seconds: 5))
  }
}
