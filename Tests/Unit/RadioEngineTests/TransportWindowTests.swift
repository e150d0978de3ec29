import Testing
import Units

@testable import Network
@testable import RadioEngine

/// Seeks in an HLS station with a window.
@Suite struct TransportWindowTests {
  /// Seconds 100 to 120 are buffered. The window reaches from 40 to 130 s.
  private static func look(heard: Double = 110, written: Double = 120) -> ProgrammeSnapshot {
    var look = TransportTests.look(.playing)
    look.audible = AudiblePosition(seek: 0, at: StreamTime(seconds: heard), played: StreamTime(seconds: 5))
    (look.oldest, look.written) = (StreamTime(seconds: 100), StreamTime(seconds: written))
    look.window = ProgrammeWindow(
      oldest: StreamTime(seconds: 40), live: StreamTime(seconds: 118), end: StreamTime(seconds: 130))
    return look
  }

  private static func words(_ actions: [Transport.Action]) -> String {
    actions.map { TransportTests.text($0) }.joined(separator: " ")
  }

  @Test(
    "A buffered position is sought, another one in the window requested",
    arguments: [
      (105.0, "keep seek(105) leap"), (99.0, "keep leave(99)"), (3.0, "keep leave(3)"), (117.0, "seek(117) leap"),
    ])
  func goes(_ place: Double, _ expected: String) {
    var transport = TransportTests.transport(.playing)
    let words = Self.words(transport.go(to: StreamTime(seconds: place), Self.look()))
    #expect(words == expected)
  }

  @Test("Forward stops at a listener's start position, so that the next segment arrives in time")
  func forward() {
    var transport = TransportTests.transport(.playing)
    #expect(Self.words(transport.go(to: StreamTime(seconds: 170), Self.look())) == "seek(118) leap")
  }

  @Test("A live position beyond the buffer is requested")
  func live() {
    var transport = TransportTests.transport(.playing)
    #expect(Self.words(transport.goLive(Self.look())) == "keepNot")
    let behind = Self.look(heard: 105, written: 112)
    #expect(transport.timeShift(behind) == 13)
    #expect(Self.words(transport.goLive(behind)) == "keepNot leave(118)")
    #expect(Self.words(transport.go(to: StreamTime(seconds: 115), behind)) == "leave(115)")
    _ = transport.go(to: StreamTime(seconds: 101), behind)
    #expect(!transport.isAtLive)
    _ = transport.goLive(behind)
    #expect(transport.isAtLive)
  }

  @Test("The oldest position is the window's start, and rewinds count it")
  func oldest() {
    var transport = TransportTests.transport(.playing)
    let look = Self.look()
    #expect(transport.isRewindAllowed(69, look) && !transport.isRewindAllowed(71, look))
    #expect(Self.words(transport.goOldest(look)) == "keep leave(40)")
  }

  @Test("During a recording only buffered positions are sought, with a report")
  func recorded() {
    var transport = TransportTests.transport(.playing)
    var look = Self.look()
    look.isRecorded = true
    #expect(Self.words(transport.goOldest(look)) == "refuse(recording)")
    #expect(Self.words(transport.go(to: StreamTime(seconds: 101), look)) == "keep seek(101) leap")
    look.written = StreamTime(seconds: 112)
    #expect(Self.words(transport.goLive(look)) == "refuse(recording)")
    #expect(SeekPlan([.refuse(.recording)], look) == .refused(.recording))
  }

  @Test("A seek in the window can be replaced by another; a stopped radio stays")
  func away() {
    var transport = TransportTests.transport(.playing)
    let look = Self.look()
    _ = transport.leave(StreamTime(seconds: 50), for: StreamTime(seconds: 50), look)
    #expect(transport.isAway && Self.words(transport.goLive(look)) == "keepNot leave(118)")
    transport.connected(turnedOutFile: false, look)
    #expect(transport.isAway, "the answer of the station is no reason to be elsewhere")
    transport.stop()
    #expect(transport.goLive(look).isEmpty && transport.goOldest(look).isEmpty)
  }

  @Test("A live station that answers a request for another position ends the rest of a pause")
  func answered() {
    var transport = TransportTests.transport(.paused)
    let look = TransportTests.look(.paused)
    _ = transport.leave(StreamTime(seconds: 50), for: StreamTime(seconds: 50), look)
    _ = transport.rest(look)
    #expect(transport.isResting && transport.isAway)
    transport.connected(turnedOutFile: false, look)
    #expect(!transport.isResting && !transport.isAway)
  }

  @Test("Buffered audio counts from the oldest audio if the ring has dropped unplayed audio (R2.6)")
  func overwritten() {
    var look = Self.look(heard: 60)
    look.window = nil
    let transport = TransportTests.transport(.playing)
    #expect(transport.buffered(look) == StreamTime(seconds: 60))
    look.hasOverwritten = true
    #expect(transport.buffered(look) == StreamTime(seconds: 20))
    look.audible?.at = StreamTime(seconds: 105)
    #expect(transport.buffered(look) == StreamTime(seconds: 15))
    // Before the programme is audible, all undecoded audio counts.
    (look.audible, look.ahead) = (nil, StreamTime(seconds: 7))
    #expect(transport.buffered(look) == StreamTime(seconds: 7))
  }

  @Test("A seek in the window during a pause restarts the time until the connection is closed")
  func pauseAfterSeek() {
    var transport = TransportTests.transport(.paused)
    let (early, late) = (TransportTests.later(Self.look(), 299), TransportTests.later(Self.look(), 598))
    _ = transport.leave(StreamTime(seconds: 50), for: StreamTime(seconds: 50), early)
    #expect(transport.due(late).isEmpty)
    #expect(!transport.due(TransportTests.later(Self.look(), 599)).isEmpty)
  }
}
