import AudioOutput
import Testing
import Units

@testable import RadioEngine

/// `Transport` and `OutputSupervisor` together, in every reachable state. Unless the listener paused, audio returns
/// once all inputs are friendly.
@Suite struct SoundModelTests {
  /// Inputs of a listener, a device and the threads.
  enum Input: CaseIterable {
    case begin, beginKept, stop, pause, resume, full, lost
    case suspend, endSuspension, slept, failed, released, due
    case connected, flows, sounds, starves
  }

  struct Model {
    private(set) var transport = Transport(TransportTests.rules)
    private(set) var output = OutputSupervisor(isCard: true, at: .zero)
    private var isConnected = false

    private var now = MonotonicTime(milliseconds: 10_000)

    private static let gone = SinkError.readerGone(path: "/pipe")

    /// All facts that decide the next state, except times and positions.
    var key: String {
      var state = "\(output.state)"
      if case .ending(let causes, _, _) = output.state { state = "ending \(causes.rawValue)" }
      if case .missing = output.state { state = "missing" }
      var run = "\(transport.run)"
      if case .paused(let pause) = transport.run { run = "paused \(pause.cause) \(pause.isResting)" }
      return "\(run) \(transport.state) \(transport.isFlowing) \(transport.hasPlayed) \(isConnected) \(state)"
    }

    /// True if the listener wants audio.
    var isWanted: Bool {
      switch transport.run {
      case .stopped: false
      case .running: true
      case .paused(let pause): pause.cause == .interruption
      }
    }

    private var look: ProgrammeSnapshot {
      var look = ProgrammeSnapshot(now: now)
      look.facts = isConnected ? RadioBench.facts(isLive: true) : nil
      look.audible = transport.hasPlayed ? AudiblePosition(seek: transport.seek, at: .zero, played: .zero) : nil
      look.written = StreamTime(seconds: 20)
      look.isSuspended = output.isSuspended
      return look
    }

    /// True if the input is possible now.
    func allows(_ input: Input) -> Bool {
      switch input {
      case .connected: transport.run != .stopped && !isConnected
      case .flows: isConnected && !transport.isFlowing
      case .starves, .lost: isConnected && transport.hasPlayed
      case .sounds:
        transport.isFlowing && output.state == .ours
          && (transport.phase == .buffering || transport.phase == .connecting)
      case .failed: output.state == .ours
      default: true
      }
    }

    /// Applies an input. `isThere`: true if the device can be opened.
    mutating func apply(_ input: Input, isThere: Bool = true) {
      switch input {
      case .begin, .beginKept:
        isConnected = false
        _ = transport.begin(at: .zero, keepsPause: input == .beginKept, look)
      case .stop:
        isConnected = false
        transport.stop()
      case .pause: _ = transport.pause(.user, look)
      case .resume: _ = transport.resume(look)
      case .full: _ = transport.rest(look)
      case .lost: transport.connection(isLost: true)
      case .connected:
        isConnected = true
        transport.connected(turnedOutFile: false, look)
        _ = transport.gathers(look)
      case .flows: _ = transport.flows()
      case .sounds: _ = transport.sounds(at: now)
      case .starves: _ = transport.starved(at: now)
      case .suspend: take(.suspend, isThere)
      case .endSuspension: take(.endSuspension, isThere)
      case .slept: take(.slept, isThere)
      case .failed: take(.failed(Self.gone), isThere)
      case .released: take(.released(hasUnheard: false), isThere)
      case .due:
        // A lost device is tried every second.
        now = now + Duration(milliseconds: 1_000)
        take(.due, isThere)
      }
    }

    private mutating func take(_ input: OutputSupervisor.Input, _ isThere: Bool) {
      for action in output.process(input, at: now) {
        switch action {
        case .fallSilent: _ = transport.interrupt(look)
        case .reopen: take(isThere ? .takenUp : .refused(Self.gone), isThere)
        case .resume: _ = transport.interruptionEnds(look)
        default: break
        }
      }
    }
  }

  /// Every reachable state, with the inputs that lead there.
  static let reachable: [(model: Model, way: [Input])] = {
    var found = [(model: Model(), way: [Input]())]
    var keys = Set(found.map(\.model.key))
    var next = 0
    while next < found.count {
      let (model, way) = found[next]
      next += 1
      for input in Input.allCases where model.allows(input) {
        for isThere in [true, false] {
          var other = model
          other.apply(input, isThere: isThere)
          if keys.insert(other.key).inserted { found.append((other, way + [input])) }
        }
      }
    }
    return found
  }()

  @Test("From every reachable state with a listener, audio follows")
  func soundComes() {
    #expect(Self.reachable.count > 100)
    let friendly: [Input] = [.endSuspension, .released, .due, .connected, .flows, .sounds]
    for (model, way) in Self.reachable where model.isWanted {
      var model = model
      for _ in 0..<3 where model.transport.phase != .playing {
        for input in friendly where model.allows(input) { model.apply(input) }
      }
      #expect(model.transport.phase == .playing, "after \(way)")
    }
  }

  @Test("A playing radio has its device, and a waiting one is resumed by it alone")
  func deviceIsThere() {
    for (model, way) in Self.reachable {
      if model.transport.phase == .playing { #expect(model.output.state == .ours, "after \(way)") }
      guard case .paused(let pause) = model.transport.run, pause.cause == .interruption else { continue }
      #expect(model.output.isSuspended, "after \(way)")
    }
  }
}
