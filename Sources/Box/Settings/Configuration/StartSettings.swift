/// `[start]`: the start of the box.
public struct StartSettings: Equatable, Sendable {
  /// The condition for playback after a start (I2).
  public enum Play: String, Sendable, CaseIterable {
    /// Play if the radio played before the restart, and at the first start.
    case last
    case always
  }

  /// The condition for playback after a start.
  public var play = Play.last

  mutating func read(_ table: TableReader) {
    play = table.word("play", Play.self) ?? play
    table.close()
  }
}
