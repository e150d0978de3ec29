import MediaSupport
import Network
import RadioEngine
import RadioSupport
import SinkBench
import StationSupport
import TestSupport
import Testing
import Units

/// All combinations of state, interruption and duration, with their events in order (R10.1).
@Suite struct InterruptionTests {
  enum Before: String, CaseIterable, Sendable {
    case stopped, connecting, buffering, playing, paused
  }

  enum Cause: String, CaseIterable, Sendable {
    case command
    case lost
    /// A guest still uses the card after `resume`.
    case busy
    case sleep
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var before: Before
    var cause: Cause
    /// True if the interruption is longer than the pause timeout.
    var isLong: Bool
    var testDescription: String { "\(before) × \(cause) × \(isLong ? "long" : "short")" }

    static let all = Before.allCases.flatMap { before in
      Cause.allCases.flatMap { cause in [false, true].map { Row(before: before, cause: cause, isLong: $0) } }
    }

    private var isActive: Bool { before != .stopped && before != .paused }

    private var begins: [String] {
      let held = isActive ? ["paused interruption"] : []
      return (cause == .lost ? ["deviceLost"] : []) + ["willSuspend"] + held + ["suspended"]
    }

    /// After the timeout the radio leaves a known station.
    private var rests: [String] {
      let isLeft = cause == .sleep ? before == .paused : before != .stopped && before != .connecting
      if isLong && isLeft { return ["paused timeout"] }
      // A reconnect during a pause repeats the event (manual, 1.8).
      return cause == .sleep && before == .paused ? ["paused user"] : []
    }

    private var ends: [String] {
      let back = cause == .lost || cause == .busy ? ["deviceBack"] : []
      return (cause == .busy ? ["deviceLost"] : []) + back + ["resumed"]
    }

    var events: [String] {
      let goesOn = isActive ? ["playing"] : []
      return cause == .sleep ? begins + ends + rests + goesOn : begins + rests + ends + goesOn
    }
  }

  /// Events about interruptions, with their reasons. `playing` events repeated after an underrun are removed.
  private static func interruptionEvents(_ rig: RadioRig, since start: Int) -> [String] {
    let all: [String] = rig.events[start...].compactMap { _, event in
      switch event {
      case .paused(let reason), .stopped(let reason): "\(event.name) \(reason.rawValue)"
      case .willSuspend, .suspended, .resumed, .deviceLost, .deviceBack, .playing: event.name
      default: nil
      }
    }
    let repeats = all.reversed().prefix { $0 == "playing" }.dropFirst().count
    return Array(all.dropLast(repeats))
  }

  @Test(
    "Events and states keep their order, and the state afterwards equals the state before (R10.1)", arguments: Row.all)
  func table(_ row: Row) async throws {
    try await Stage.run(speed: 5) {
      let gate = Gate()
      let clip = Clip.long(60)
      let broadcast = Broadcast(clip, burst: 8)
      let station = try ScriptedStation { visit in
        switch row.before {
        case .connecting: [.gate(gate), .live()] + broadcast.actions(visit)
        // Slower than playback until the first reconnect.
        case .buffering where visit.number == 0:
          [.live(), .pace(clip.bytes, perSecond: clip.byteRate / 3, burst: 4_000), .stall]
        default: [.live()] + broadcast.actions(visit)
        }
      }
      defer { station.close() }
      let card = BenchCard()
      var settings = RadioSettings.bench
      settings.steers = false
      settings.pauseTimeout = Duration(milliseconds: row.isLong ? 8_000 : 60_000)
      if row.before == .buffering {
        settings.startPolicy = .fixed
        settings.waitLive = StreamTime(seconds: 4)
      }
      let rig = try RadioRig(settings, to: card.output)
      try Self.bring(rig, station, to: row.before)
      let start = rig.events.count
      try Self.interrupt(row, rig, card)
      gate.open()
      let expected = row.events
      #expect(rig.run(40) { Self.interruptionEvents(rig, since: start).count >= expected.count }, "\(rig.names)")
      rig.run(for: 2)
      #expect(Self.interruptionEvents(rig, since: start) == expected)
      switch row.before {
      case .stopped, .paused: #expect(rig.radio.state.rawValue == row.before.rawValue)
      default: #expect(rig.radio.state == .playing)
      }
      if row.before == .paused {
        rig.radio.resume()
        #expect(rig.next("playing") != nil)
      }
      if row.before == .playing || row.before == .paused {
        #expect(rig.run { card.playedPcm.count > 4 * 44_100 * 4 })
        let cuts = Sound(clip.prefix(15).pcm()).differingRanges(from: Sound(card.playedPcm), at: 0)
        if row.cause == .lost, row.before == .playing {
          #expect(rig.holdsUnlessLate(cuts.allSatisfy { $0.lowerBound > 22_050 }), "\(cuts)")
        } else {
          #expect(rig.holdsUnlessLate(cuts.count == 1 && cuts[0].count <= 2 * 222), "\(cuts)")
        }
      }
      _ = rig.radio.close()
      #expect(!card.isOpen)
    }
  }

  private static func bring(_ rig: RadioRig, _ station: ScriptedStation, to state: Before) throws {
    if state == .stopped { return rig.run(for: 0.2) }
    rig.tune(station.url()) { $0.liveAhead = StreamTime(seconds: 300) }
    switch state {
    case .stopped: break
    case .connecting: try #require(rig.next("connecting") != nil)
    case .buffering: try #require(rig.run { rig.radio.state == .buffering && rig.radio.status.held > 0.3 })
    case .playing, .paused:
      try #require(rig.next("playing") != nil)
      rig.run(for: 1)
      if state == .paused {
        rig.radio.pause()
        rig.run(for: 0.8)
      }
    }
    #expect(rig.radio.state.rawValue == state.rawValue)
  }

  private static func interrupt(_ row: Row, _ rig: RadioRig, _ card: BenchCard) throws {
    let span = row.isLong ? 10.0 : 1.0
    switch row.cause {
    case .command:
      rig.radio.suspend()
      #expect(rig.next("suspended") != nil && !card.isOpen && rig.radio.isSuspended, "another program may have it")
      rig.run(for: span)
      rig.radio.endSuspension()
      #expect(card.isOpen && !rig.radio.isSuspended)
    case .lost:
      card.state = .gone
      #expect(rig.run(8) { rig.radio.isSuspended && !card.isOpen })
      rig.run(for: span)
      card.state = .there
      #expect(rig.run { !rig.radio.isSuspended })
    case .busy:
      rig.radio.suspend()
      #expect(rig.next("suspended") != nil && card.occupy())
      rig.run(for: 0.2)
      if row.isLong { rig.run(for: span) }
      rig.radio.endSuspension()
      #expect(rig.radio.isSuspended)
      rig.run(for: 1.5)
      card.free()
      #expect(rig.run { !rig.radio.isSuspended })
    case .sleep:
      TestClock.current.pretendSleep(row.isLong ? 400 : 3)
      #expect(rig.run(8) { rig.names.contains("willSuspend") })
    }
  }
}
