/// The rest of a sleep timer.
public struct SavedSleep: Equatable, Sendable {
  /// Minutes until standby, 1 … 1,440.
  public var minutes: Int
  /// The time of standby in seconds since 1970; nil if the clock was not set.
  public var end: Int64?

  /// Creates the rest of a timer.
  public init(minutes: Int, end: Int64?) { (self.minutes, self.end) = (minutes, end) }

  /// Reads the words of the file: the minutes and the time, 0 if unknown. Nil if they are not valid.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let minutes = Int(words[0]), let end = Int64(words[1]) else { return nil }
    guard (1...1_440).contains(minutes), end >= 0 else { return nil }
    self.init(minutes: minutes, end: end == 0 ? nil : end)
  }
}
