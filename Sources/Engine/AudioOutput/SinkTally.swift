import System
import Units

/// Counts the frames of programme and silence in a sink. Render thread.
struct SinkTally: BitwiseCopyable {
  /// Programme frames since the programme's start or the last seek.
  private(set) var segment = 0
  /// Frames of silence since the last programme.
  private(set) var silence = 0
  /// Frames of silence before the last run of programme, and the run's length.
  private var lull = 0
  private var stretch = 0

  @_noLocks @_noAllocation
  init() {}

  @_noLocks @_noAllocation
  mutating func begin() { segment = 0 }

  @_noLocks @_noAllocation
  mutating func add(programme frames: Int) {
    if silence > 0 {
      lull = silence
      stretch = 0
      silence = 0
    }
    stretch = stretch &+ frames
    segment = segment &+ frames
  }

  @_noLocks @_noAllocation
  mutating func add(silence frames: Int) { silence = silence &+ frames }

  /// Removes frames of the last silence.
  @_noLocks @_noAllocation
  mutating func remove(silence frames: Int) { silence = max(0, silence &- frames) }

  /// Removes the last programme frames, which were not played, and all silence.
  @_noLocks @_noAllocation
  mutating func lose(programme frames: Int) {
    segment = segment &- frames
    silence = 0
  }

  @_noLocks @_noAllocation
  mutating func clearSilence() { silence = 0 }

  /// Returns the programme frames, since the programme's start or the last seek, among `delay` unplayed frames.
  @_noLocks @_noAllocation
  func programme(in delay: Int) -> Int {
    let rest = max(0, delay &- silence)
    return min(rest <= stretch ? rest : max(stretch, rest &- lull), segment)
  }
}

/// Estimates a card's delay from its last report and the frames written since. Render thread.
struct ToldDelay: BitwiseCopyable {
  private let clock: Clock
  private var delay = 0
  private var tellingTime: Int64 = 0
  private var writtenSince = 0
  private var givingTime: Int64 = 0

  @_noLocks @_noAllocation
  init(by clock: Clock) { self.clock = clock }

  @_noLocks @_noAllocation
  mutating func report(_ frames: Int) {
    delay = frames
    tellingTime = clock.now().nanoseconds
    writtenSince = 0
  }

  @_noLocks @_noAllocation
  mutating func recordWrite() { givingTime = clock.now().nanoseconds }

  @_noLocks @_noAllocation
  mutating func recordAccepted(_ frames: Int) { writtenSince = writtenSince &+ frames }

  /// Returns the minimum delay, in frames, of a card that no longer reports: it may have played since its last report.
  @_noLocks @_noAllocation
  func guess(at rate: SampleRate) -> Int { max(0, delay &+ writtenSince &- frames(since: tellingTime, rate)) }

  /// Returns the time since the last write, in frames.
  @_noLocks @_noAllocation
  func framesSinceGiven(at rate: SampleRate) -> Int { frames(since: givingTime, rate) }

  @_noLocks @_noAllocation
  private func frames(since time: Int64, _ rate: SampleRate) -> Int {
    Int(max(0, clock.now().nanoseconds &- time) / 1_000 &* Int64(rate.hertz) / 1_000_000)
  }
}
