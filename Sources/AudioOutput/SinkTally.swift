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
