import System
import Units

/// Which of the frames that a sink has still to play are programme, and which are silence. The render thread's.
struct SinkTally: BitwiseCopyable {
  /// Frames of programme since it began, or since the last seek.
  private(set) var segment = 0
  /// Frames of silence since the last programme.
  private(set) var silence = 0
  /// Frames of silence before the last stretch of programme, and of that.
  private var lull = 0
  private var stretch = 0

  @_noLocks @_noAllocation
  init() {}

  /// Another programme begins, or what follows a seek.
  @_noLocks @_noAllocation
  mutating func begin() { segment = 0 }

  /// So many frames of programme were given to the sink.
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

  /// So many frames of silence were given to the sink.
  @_noLocks @_noAllocation
  mutating func add(silence frames: Int) { silence = silence &+ frames }

  /// So many of the last frames of programme were not heard, and nothing that came after them.
  @_noLocks @_noAllocation
  mutating func lose(programme frames: Int) {
    segment = segment &- frames
    silence = 0
  }

  /// The sink is a new one, in which there is nothing.
  @_noLocks @_noAllocation
  mutating func clearSilence() { silence = 0 }

  /// How many of the frames that the sink has still to play are of the programme, since it began or the last seek.
  @_noLocks @_noAllocation
  func programme(in delay: Int) -> Int {
    let rest = max(0, delay &- silence)
    return min(rest <= stretch ? rest : max(stretch, rest &- lull), segment)
  }
}

/// What a card had to play when it last told, and what it was given since. The render thread's.
struct ToldDelay: BitwiseCopyable {
  private let clock: Clock
  private var delay = 0
  private var tellingTime: Int64 = 0
  private var givenSince = 0
  private var givingTime: Int64 = 0

  @_noLocks @_noAllocation
  init(by clock: Clock) { self.clock = clock }

  /// The card tells that it has so many frames to play.
  @_noLocks @_noAllocation
  mutating func tell(_ frames: Int) {
    delay = frames
    tellingTime = clock.now().nanoseconds
    givenSince = 0
  }

  /// Frames are about to be given to the sink.
  @_noLocks @_noAllocation
  mutating func give() { givingTime = clock.now().nanoseconds }

  /// The card took so many.
  @_noLocks @_noAllocation
  mutating func take(_ frames: Int) { givenSince = givenSince &+ frames }

  /// What a card that tells nothing, since it is gone, has still to play at most: it has come as far as it can have.
  @_noLocks @_noAllocation
  func guess(at rate: SampleRate) -> Int { max(0, delay &+ givenSince &- frames(since: tellingTime, rate)) }

  /// Frames that would have been played since the sink was last given some.
  @_noLocks @_noAllocation
  func framesSinceGiven(at rate: SampleRate) -> Int { frames(since: givingTime, rate) }

  @_noLocks @_noAllocation
  private func frames(since time: Int64, _ rate: SampleRate) -> Int {
    Int(max(0, clock.now().nanoseconds &- time) / 1_000 &* Int64(rate.hertz) / 1_000_000)
  }
}
