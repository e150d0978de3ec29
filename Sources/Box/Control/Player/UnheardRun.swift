/// Counts consecutive stations without audio, so that a repeating queue of silent stations stops.
struct UnheardRun {
  private(set) var count = 0
  private var isAudible = false

  mutating func sounds() { isAudible = true }

  mutating func ends() { (count, isAudible) = (isAudible ? 0 : count + 1, false) }
}
