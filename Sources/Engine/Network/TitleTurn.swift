/// Which title of one connection is told when: a packet has one, and one that comes before the first packet, or behind
/// another title, waits for the next. A value.
struct TitleTurn {
  private var waiting: StationTitle?
  /// Whether no title was told since the last packet.
  private var isFree = true

  /// A title came; whether it is told now. Of others that come before the next packet the last one is told behind that.
  mutating func take(_ title: StationTitle, isJoined: Bool) -> Bool {
    guard isJoined, isFree else {
      waiting = title
      return false
    }
    isFree = false
    return true
  }

  /// The title that waited for a packet, unless another was told of the same place.
  mutating func takeWaiting() -> StationTitle? {
    guard isFree, let title = waiting else { return nil }
    (waiting, isFree) = (nil, false)
    return title
  }

  /// A packet came.
  mutating func pass() { isFree = true }
}
