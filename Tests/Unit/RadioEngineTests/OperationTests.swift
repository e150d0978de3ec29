import Testing
import Units

@testable import RadioEngine

/// Every operation in every situation, without threads: the new state, the orders and the events.
@Suite struct OperationTests {
  typealias Situation = RadioBench.Situation
  typealias Order = FakeEngine.Order

  struct Row: Sendable, CustomTestStringConvertible {
    let situations: [Situation]
    let state: RadioState
    var orders: [Order] = []
    var told: [String] = []
    var testDescription: String { situations.map(\.rawValue).joined(separator: ", ") }

    init(_ situations: Situation..., then state: RadioState, _ orders: [Order] = [], _ told: String...) {
      (self.situations, self.state, self.orders, self.told) = (situations, state, orders, told)
    }
  }

  private func check(_ row: Row, _ settings: RadioSettings = RadioSettings(), _ operation: (Radio) -> Void) throws {
    for situation in row.situations {
      let bench = try RadioBench.inSituation(situation, settings)
      operation(bench.radio)
      #expect(bench.orders() == row.orders, "\(situation)")
      #expect(bench.told().map(\.name) == row.told, "\(situation)")
      #expect(bench.radio.state == row.state, "\(situation)")
    }
  }

  /// Every table has each situation once.
  @Test(arguments: [pause, resume, stop, play, rewind, forward, far, live, oldest, suspend, endSuspension, item])
  func tablesAreWhole(_ table: [Row]) {
    #expect(Set(table.flatMap(\.situations)) == Set(Situation.allCases))
    #expect(table.flatMap(\.situations).count == Situation.allCases.count)
  }

  static let pause = [
    Row(.stopped, then: .stopped), Row(.paused, .resting, .pausedFile, then: .paused),
    Row(
      .connecting, .buffering, .playing, .lost, .starved, .file, then: .paused, [.keepDistance(true), .pause(true)],
      "paused"),
    Row(.suspended, then: .paused, [], "paused"),
  ]

  @Test("Pause acts in every situation", arguments: pause)
  func pauses(_ row: Row) throws { try check(row) { $0.pause() } }

  static let resume = [
    Row(.stopped, then: .stopped), Row(.connecting, .lost, then: .connecting),
    Row(.buffering, .starved, then: .buffering), Row(.playing, .file, then: .playing),
    Row(.paused, .pausedFile, then: .buffering, [.pause(false)]),
    Row(.resting, then: .buffering, [.pause(false), .connectAgain]),
    Row(.suspended, then: .paused),
  ]

  @Test("Resume acts in every situation", arguments: resume)
  func resumes(_ row: Row) throws { try check(row) { $0.resume() } }

  static let stop = [
    Row(.stopped, then: .stopped),
    Row(
      .connecting, .buffering, .playing, .lost, .starved, .paused, .resting, .file, .pausedFile, .suspended,
      then: .stopped, [.end], "stopped"),
  ]

  @Test("Stop acts in every situation", arguments: stop)
  func stops(_ row: Row) throws { try check(row) { $0.stop() } }

  private static func begins(_ url: String) -> [Order] { [.begin(url, 2, isPaused: false)] }

  static let play = [
    Row(.stopped, then: .stopped),
    Row(.connecting, .buffering, .playing, .lost, .starved, then: .connecting, begins(RadioBench.station)),
    Row(.file, then: .connecting, begins(RadioBench.file)),
    Row(.paused, .pausedFile, then: .buffering, [.pause(false)]),
    Row(.resting, then: .buffering, [.pause(false), .connectAgain]),
    Row(.suspended, then: .paused),
  ]

  @Test("Play acts in every situation", arguments: play)
  func plays(_ row: Row) throws { try check(row) { $0.play() } }

  private static func goes(_ seconds: Double, back: Bool = false, calls: Bool = false) -> [Order] {
    (back ? [.keepDistance(true)] : []) + [.seek(StreamTime(seconds: seconds), 1, isExact: false)]
      + (calls ? [.call] : [])
  }

  static let rewind = [
    Row(.stopped, then: .stopped), Row(.connecting, then: .connecting), Row(.buffering, then: .buffering),
    Row(.playing, .file, then: .playing, goes(3, back: true)), Row(.lost, then: .connecting, goes(3, back: true)),
    Row(.starved, then: .buffering, goes(3, back: true)),
    Row(.paused, .resting, .pausedFile, .suspended, then: .paused, goes(3, back: true, calls: true)),
  ]

  @Test("Rewind by 2 buffered seconds acts in every situation", arguments: rewind)
  func rewinds(_ row: Row) throws { try check(row) { $0.rewind(by: 2) } }

  static let forward = [
    Row(.stopped, then: .stopped), Row(.connecting, then: .connecting), Row(.buffering, then: .buffering),
    Row(.playing, .file, then: .playing, goes(7)), Row(.lost, then: .connecting, goes(7)),
    Row(.starved, then: .buffering, goes(7)),
    Row(.paused, .resting, .pausedFile, .suspended, then: .paused, goes(7, calls: true)),
  ]

  @Test("Forward by 2 buffered seconds acts in every situation", arguments: forward)
  func forwards(_ row: Row) throws { try check(row) { $0.forward(by: 2) } }

  private static let leaves: [Order] = [.beginAgain(StreamTime(seconds: 65), 2, number: 0), .follow(nil, token: 2)]

  static let far = [
    Row(.stopped, then: .stopped), Row(.connecting, then: .connecting), Row(.buffering, then: .buffering),
    // One second stays buffered.
    Row(.playing, then: .playing, goes(19)), Row(.lost, then: .connecting, goes(19)),
    Row(.starved, then: .buffering, goes(19)),
    Row(.paused, .resting, .suspended, then: .paused, goes(19, calls: true)),
    // A file is requested from the new position.
    Row(.file, then: .buffering, leaves, "buffering"), Row(.pausedFile, then: .paused, leaves + [.call]),
  ]

  @Test("Forward by 60 s, beyond the buffer, acts in every situation", arguments: far)
  func leavesWhatIsHeld(_ row: Row) throws { try check(row) { $0.forward(by: 60) } }

  private static func goesLive(calls: Bool = false) -> [Order] { [.keepDistance(false)] + goes(10, calls: calls) }

  static let live = [
    Row(.stopped, then: .stopped, [.keepDistance(false)]), Row(.connecting, then: .connecting, [.keepDistance(false)]),
    Row(.buffering, then: .buffering, [.keepDistance(false)]),
    // The wait time stays buffered: 10 s of the 20.
    Row(.playing, .file, then: .playing, goesLive()), Row(.lost, then: .connecting, goesLive()),
    Row(.starved, then: .buffering, goesLive()),
    Row(.paused, .resting, .pausedFile, .suspended, then: .paused, goesLive(calls: true)),
  ]

  @Test("Go live acts in every situation", arguments: live)
  func goesToLive(_ row: Row) throws { try check(row) { $0.goLive() } }

  static let oldest = [
    Row(.stopped, then: .stopped), Row(.connecting, then: .connecting), Row(.buffering, then: .buffering),
    Row(.playing, .file, then: .playing, goes(0, back: true)), Row(.lost, then: .connecting, goes(0, back: true)),
    Row(.starved, then: .buffering, goes(0, back: true)),
    Row(.paused, .resting, .pausedFile, .suspended, then: .paused, goes(0, back: true, calls: true)),
  ]

  @Test("Go to the oldest buffered audio acts in every situation", arguments: oldest)
  func goesToOldest(_ row: Row) throws { try check(row) { $0.goOldest() } }

  static let suspend = [
    Row(.stopped, then: .stopped, [.pause(true)], "willSuspend", "suspended"),
    Row(.paused, .resting, .pausedFile, then: .paused, [.pause(true)], "willSuspend", "suspended"),
    Row(
      .connecting, .buffering, .playing, .lost, .starved, .file, then: .paused, [.keepDistance(true), .pause(true)],
      "willSuspend", "paused", "suspended"),
    Row(.suspended, then: .paused),
  ]

  @Test("Suspend, with a device silent at once, acts in every situation", arguments: suspend)
  func suspends(_ row: Row) throws { try check(row) { $0.suspend() } }

  static let endSuspension = [
    Row(.stopped, then: .stopped), Row(.connecting, .lost, then: .connecting),
    Row(.buffering, .starved, then: .buffering), Row(.playing, .file, then: .playing),
    Row(.paused, .resting, .pausedFile, then: .paused),
    Row(.suspended, then: .buffering, [.takeUp, .pause(false)], "resumed"),
  ]

  @Test("The end of a suspension acts in every situation", arguments: endSuspension)
  func endsSuspension(_ row: Row) throws { try check(row) { $0.endSuspension() } }

  static let item = [
    Row(.stopped, then: .stopped), Row(.connecting, .lost, then: .connecting),
    Row(.buffering, .starved, then: .buffering), Row(.playing, .file, then: .playing),
    Row(.paused, .resting, .pausedFile, .suspended, then: .paused),
  ]

  @Test("An item is refused without a list", arguments: item)
  func playsItem(_ row: Row) throws { try check(row) { #expect(!$0.playItem(0)) } }

  @Test("Reading the position changes nothing", arguments: Situation.allCases)
  func asks(_ situation: Situation) throws {
    let bench = try RadioBench.inSituation(situation)
    bench.radio.rewind(by: 2)
    bench.forget()
    let first = bench.radio.status
    let readCount = bench.engine.positionReadCount
    _ = bench.radio.status
    #expect(bench.engine.positionReadCount - readCount <= 2, "all values are of one snapshot")
    for _ in 0..<3 { _ = bench.radio.status }
    #expect(bench.radio.status.position == first.position)
    #expect(bench.orders().isEmpty && bench.told().isEmpty)
  }

  @Test("A situation matches its name", arguments: Situation.allCases)
  func situations(_ situation: Situation) throws {
    let bench = try RadioBench.inSituation(situation)
    let status = bench.radio.status
    let isHeard = ![.stopped, .connecting, .buffering].contains(situation)
    #expect(status.isResting == (situation == .resting))
    #expect(bench.radio.isSuspended == (situation == .suspended))
    #expect(bench.radio.isFileSeekAllowed == [.file, .pausedFile].contains(situation))
    #expect(bench.radio.isRewindAllowed(5) == isHeard && !bench.radio.isRewindAllowed(6))
    #expect(bench.radio.isFastForwardAllowed(15) == isHeard)
    #expect(status.position == (isHeard ? 5 : 0))
    #expect(bench.radio.duration == ([.file, .pausedFile].contains(situation) ? 100 : nil))
  }
}
