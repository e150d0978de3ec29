/// How many stations came to their end in a row, or failed, and nothing of them was heard: a queue that repeats would
/// go on with such for ever, as fast as they fail.
struct UnheardRun {
  private(set) var count = 0
  private var isHeard = false

  /// The station sounds.
  mutating func sounds() { isHeard = true }

  /// The station is over, or failed.
  mutating func ends() { (count, isHeard) = (isHeard ? 0 : count + 1, false) }
}
