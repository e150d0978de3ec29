import Testing
import Units

@testable import Network
@testable import RadioEngine

/// Facts that a transport stores in addition to its run, and the effect of each input on these facts.
@Suite struct TransportMemoryTests {
  typealias State = TransportTests.State

  private static func seconds(_ seconds: Double) -> StreamTime { StreamTime(seconds: seconds) }

  private static func later(_ look: ProgrammeSnapshot, _ seconds: Int64) -> MonotonicTime {
    look.now + Duration(milliseconds: 1_000 * seconds)
  }

  /// The stored facts in words.
  private static func text(_ transport: Transport) -> String {
    let words = [
      (transport.state != transport.phase, "lost"), (transport.isFlowing, "flows"), (transport.hasPlayed, "played"),
      (transport.isSeeking, "seeks"), (transport.isAway, "away"), (!transport.isAtLive, "behind"),
      (transport.isResting, "rests"),
    ]
    return words.filter(\.0).map(\.1).joined(separator: " ")
  }

  /// A time-shifted station without a connection, during a seek to a buffered position.
  private static func full() -> Transport {
    var transport = TransportTests.transport(.playing)
    _ = transport.go(to: seconds(3), TransportTests.look(.playing))
    transport.connection(isLost: true)
    return transport
  }

  /// The station of `full` while it buffers after a pause.
  private static func gathering() -> Transport {
    var transport = full()
    let look = TransportTests.look(.playing)
    _ = (transport.pause(.user, look), transport.resume(look))
    return transport
  }

  // MARK: Programmes

  @Test("A new programme has nothing of the previous one", arguments: [false, true])
  func begins(isAway: Bool) {
    var transport = Self.full()
    #expect(Self.text(transport) == "lost flows played seeks behind")
    let look = TransportTests.look(.connecting)
    if isAway {
      _ = transport.leave(Self.seconds(65), for: Self.seconds(65), TransportTests.look(.file))
      #expect(transport.isAway)
    }
    _ = transport.begin(at: .zero, keepsPause: false, look)
    #expect(Self.text(transport).isEmpty && transport.phase == .connecting && transport.position(look) == .zero)
    _ = transport.gathers(look)
    #expect(transport.state == .buffering, "its connection is not lost")
  }

  @Test("A station that starts during a pause is behind live from then on")
  func beginsPaused() {
    var transport = TransportTests.transport(.resting)
    #expect(transport.isResting)
    _ = transport.begin(at: .zero, keepsPause: true, TransportTests.look(.connecting))
    #expect(Self.text(transport) == "behind")
  }

  @Test(
    "A file restarted elsewhere is there at once, and prebuffers; a pause stays",
    arguments: [
      (.file, ["buffering"]), (.away, []), (.pausedFile, ["call"]), (.starved, []),
    ] as [(State, [String])])
  func leaves(_ state: State, _ expected: [String]) {
    var (transport, look) = (TransportTests.transport(state), TransportTests.look(state))
    look.facts = RadioBench.facts(isLive: false, seconds: 100)
    transport.connection(isLost: true)
    let actions = transport.leave(Self.seconds(66), for: Self.seconds(65), look)
    let told: [Transport.Action] = expected.map {
      $0 == "call" ? .wakeRenderThread : .emit(.buffering(held: 0, target: 3))
    }
    #expect(actions == told)
    // The new programme is not yet audible.
    look.audible = nil
    #expect(transport.position(look) == Self.seconds(65) && transport.isAway && !transport.isFlowing)
    #expect(transport.state == (state == .pausedFile ? .paused : .buffering), "it is not lost")
    #expect(transport.flows() == [.emit(.seekDone(position: 65, requested: 66))])
    guard state == .file else { return }
    #expect(transport.sounds(at: Self.later(look, 3)) == 3, "there was no sound since it left")
  }

  @Test(
    "A stopped radio knows if the listener had paused",
    arguments: [
      (.paused, true), (.pausedFile, true), (.resting, true), (.held, false), (.restingHeld, false), (.playing, false),
    ] as [(State, Bool)])
  func stops(_ state: State, _ wasPaused: Bool) {
    var transport = TransportTests.transport(state)
    transport.stop()
    #expect(transport.wasPaused == wasPaused && transport.run == .stopped)
    _ = transport.begin(at: .zero, keepsPause: false, TransportTests.look(.connecting))
    transport.stop()
    #expect(!transport.wasPaused)
  }

  @Test("A response ends the loss, and a recognised file has no live position")
  func connects() {
    var (transport, look) = (Self.gathering(), TransportTests.look(.playing))
    #expect(Self.text(transport) == "lost flows played seeks behind")
    transport.connected(turnedOutFile: false, look)
    #expect(Self.text(transport) == "flows played seeks behind")
    look.facts = RadioBench.facts(isLive: false, seconds: 100)
    transport.connected(turnedOutFile: true, look)
    #expect(Self.text(transport) == "flows played seeks")
  }

  @Test("A seek to live is forgotten, and a pause there retains its connection")
  func connectsLive() {
    var (transport, look) = (Self.full(), TransportTests.look(.playing))
    _ = transport.leave(Self.seconds(65), for: Self.seconds(65), look)
    transport.connected(turnedOutFile: false, look)
    #expect(Self.text(transport) == "played")
    _ = (transport.pause(.user, look), transport.rest(look))
    look.facts = RadioBench.facts(isLive: false, seconds: 100)
    _ = transport.leave(Self.seconds(65), for: Self.seconds(65), look)
    #expect(Self.text(transport) == "played seeks away behind")
    look.facts = RadioBench.facts(isLive: true)
    transport.connected(turnedOutFile: false, look)
    #expect(Self.text(transport) == "played" && transport.phase == .paused)
  }

  @Test("Each state is reported as the radio's", arguments: State.allCases)
  func phases(_ state: State) {
    let transport = TransportTests.transport(state)
    let phase: RadioState =
      switch state {
      case .stopped: .stopped
      case .connecting: .connecting
      case .buffering, .starved, .away: .buffering
      case .playing, .file: .playing
      case .paused, .held, .resting, .restingHeld, .pausedFile: .paused
      }
    #expect(transport.phase == phase && transport.state == phase)
    #expect(transport.isResting == (state == .resting || state == .restingHeld))
  }

  // MARK: Sound

  @Test("The length of a silence is reported after an underrun or pause, once audible")
  func gaps() {
    var (transport, look) = (TransportTests.transport(.playing), TransportTests.look(.playing))
    let isHeard = transport.starved(at: Self.later(look, 1))
    #expect(isHeard && Self.text(transport) == "played")
    #expect(transport.sounds(at: Self.later(look, 5)) == 4)
    _ = transport.pause(.user, look)
    look.now = Self.later(look, 10)
    _ = transport.resume(look)
    #expect(transport.sounds(at: Self.later(look, 2)) == 2)
    transport.stop()
    #expect(transport.sounds(at: look.now) == nil)
    let isHeardStopped = transport.starved(at: look.now)
    #expect(!isHeardStopped)
  }

  @Test("A found goal flows")
  func finds() {
    var (transport, look) = (TransportTests.transport(.starved), TransportTests.look(.starved))
    _ = transport.go(to: Self.seconds(12), look)
    #expect(Self.text(transport) == "played seeks")
    look.audible = nil
    _ = transport.found(Self.seconds(12), 1, look)
    #expect(Self.text(transport) == "flows played seeks")
  }

  // MARK: Pausing

  @Test("The last reason for a pause counts")
  func reasons() {
    let look = TransportTests.look(.held)
    var transport = TransportTests.transport(.held)
    _ = transport.pause(.user, look)
    #expect(transport.stillPaused == [.emit(.paused(.user))])
    var suspended = look
    suspended.isSuspended = true
    _ = transport.resume(suspended)
    #expect(transport.stillPaused == [.emit(.paused(.interruption))])
  }

  @Test("A station inaudible before an interruption is live after it")
  func skipsToLive() {
    var transport = TransportTests.transport(.buffering)
    let look = TransportTests.look(.buffering)
    _ = (transport.flows(), transport.interrupt(look))
    #expect(!transport.isAtLive)
    _ = transport.interruptionEnds(look)
    #expect(transport.isAtLive)
  }

  // MARK: Seeking

  @Test("Unplayed audio follows the last seek; otherwise there is none to repeat")
  func goesBackToHeard() {
    var (transport, look) = (TransportTests.transport(.playing), TransportTests.look(.playing))
    #expect(transport.repeatUnplayed(look) == [.seek(Self.seconds(5), 1, isExact: true)])
    #expect(transport.repeatUnplayed(look).isEmpty, "that seek is not heard yet")
    look.audible = AudiblePosition(seek: 1, at: Self.seconds(6), played: Self.seconds(6))
    #expect(transport.repeatUnplayed(look) == [.seek(Self.seconds(6), 2, isExact: true)])
    look.audible = nil
    #expect(transport.repeatUnplayed(look).isEmpty)
    var stopped = TransportTests.transport(.stopped)
    #expect(stopped.repeatUnplayed(TransportTests.look(.playing)).isEmpty)
  }

  @Test(
    "A listener may seek in the buffer, and anywhere in a file",
    arguments: [
      (.playing, 5.0, 15.0), (.starved, 5, 15), (.file, 5, 95), (.connecting, nil, nil), (.buffering, nil, nil),
      (.stopped, nil, nil),
    ] as [(State, Double?, Double?)])
  func mayGo(_ state: State, _ back: Double?, _ forth: Double?) {
    let (transport, look) = (TransportTests.transport(state), TransportTests.look(state))
    for seconds in [0.0, 4.9, 5, 5.1, 14.9, 15, 15.1, 94.9, 95, 95.1] {
      #expect(transport.isRewindAllowed(seconds, look) == (back.map { seconds <= $0 } ?? false), "\(seconds) s back")
      #expect(transport.isFastForwardAllowed(seconds, look) == (forth.map { seconds <= $0 } ?? false), "\(seconds) s")
    }
  }

  @Test("The oldest position is a station's buffer, or a file's start in the programme")
  func mayGoBack() {
    var (transport, look) = (TransportTests.transport(.playing), TransportTests.look(.playing))
    look.oldest = Self.seconds(3)
    #expect(transport.isRewindAllowed(2, look) && !transport.isRewindAllowed(2.1, look))
    (transport, look) = (TransportTests.transport(.file), TransportTests.look(.file))
    (look.oldest, look.base) = (Self.seconds(3), Self.seconds(1))
    #expect(transport.isRewindAllowed(4, look) && !transport.isRewindAllowed(4.1, look))
    #expect(transport.isFastForwardAllowed(96, look) && !transport.isFastForwardAllowed(96.1, look))
  }
}
