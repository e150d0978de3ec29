import Testing
import Units

@testable import Network

/// The position of a listener who would hear a station on standby, with a simulated clock.
struct StandbyPlayheadTests {
  private static let goal = StreamTime(seconds: 1)

  private static func position(
    _ playhead: inout StandbyPlayhead, _ buffered: ClosedRange<Double>, at seconds: Double
  ) -> Double? {
    playhead.position(
      from: StreamTime(seconds: buffered.lowerBound), to: StreamTime(seconds: buffered.upperBound), goal: goal,
      at: MonotonicTime(seconds: 1_000 + seconds))?.seconds
  }

  @Test("The position starts with the buffer for a start and its margin, and moves in real time")
  func start() {
    var playhead = StandbyPlayhead()
    #expect(Self.position(&playhead, 0...1.4, at: 0) == nil)
    #expect(Self.position(&playhead, 0...4, at: 1) == 0)
    #expect(Self.position(&playhead, 0...6, at: 3) == 2)
    #expect(Self.position(&playhead, 2...6.5, at: 4.5) == 3.5)
  }

  @Test("Late audio delays the listener, who never comes nearer than the goal and its margin")
  func late() {
    var playhead = StandbyPlayhead()
    _ = Self.position(&playhead, 0...1.5, at: 0)
    #expect(Self.position(&playhead, 0...2, at: 5) == 0.5)
    #expect(Self.position(&playhead, 0...9, at: 6) == 1.5, "the position continues in real time")
    #expect(Self.position(&playhead, 4...9, at: 6) == 4, "the ring dropped the audio before")
  }

  @Test("A station that was heard continues at its position")
  func left() {
    var playhead = StandbyPlayhead(at: StreamTime(seconds: 30), now: MonotonicTime(seconds: 1_000))
    #expect(Self.position(&playhead, 29...40, at: 2) == 32)
  }
}
