import System
import Units

/// Counts which frames in a sink are programme and which are silence. Used by the render thread.
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

  /// Starts another programme, or the part after a seek.
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

  /// Removes the last programme frames, which stay unheard, and the silence after them.
  @_noLocks @_noAllocation
  mutating func lose(programme frames: Int) {
    segment = segment &- frames
    silence = 0
  }

  /// Starts with an empty sink.
  @_noLocks @_noAllocation
  mutating func clearSilence() { silence = 0 }

  /// Returns how many of the unplayed frames belong to the programme since its start or the last seek.
  @_noLocks @_noAllocation
  func programme(in delay: Int) -> Int {
    let rest = max(0, delay &- silence)
    return min(rest <= stretch ? rest : max(stretch, rest &- lull), segment)
  }
}

/// Estimates a card's delay from its last report and the frames written since. Used by the render thread.
struct ToldDelay: BitwiseCopyable {
  private let clock: Clock
  private var delay = 0
  private var tellingTime: Int64 = 0
  private var givenSince = 0
  private var givingTime: Int64 = 0

  @_noLocks @_noAllocation
  init(by clock: Clock) { self.clock = clock }

  @_noLocks @_noAllocation
  mutating func tell(_ frames: Int) {
    delay = frames
    tellingTime = clock.now().nanoseconds
    givenSince = 0
  }

  @_noLocks @_noAllocation
  mutating func give() { givingTime = clock.now().nanoseconds }

  @_noLocks @_noAllocation
  mutating func take(_ frames: Int) { givenSince = givenSince &+ frames }

  /// Returns the minimum delay of a card that no longer reports.
  @_noLocks @_noAllocation
  func guess(at rate: SampleRate) -> Int { max(0, delay &+ givenSince &- frames(since: tellingTime, rate)) }

  /// Returns the frames that would have played since the last write.
  @_noLocks @_noAllocation
  func framesSinceGiven(at rate: SampleRate) -> Int { frames(since: givingTime, rate) }

  @_noLocks @_noAllocation
  private func frames(since time: Int64, _ rate: SampleRate) -> Int {
    Int(max(0, clock.now().nanoseconds &- time) / 1_000 &* Int64(rate.hertz) / 1_000_000)
  }
}
