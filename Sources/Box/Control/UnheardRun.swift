/// Counts consecutive stations without audio: a repeating queue would otherwise run through them for ever.
struct UnheardRun {
  private(set) var count = 0
  private var isHeard = false

  mutating func sounds() { isHeard = true }

  mutating func ends() { (count, isHeard) = (isHeard ? 0 : count + 1, false) }
}
