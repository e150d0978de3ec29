/// Reports at most one title per packet. A title before the first packet, or after another title, waits for a packet.
struct TitleQueue {
  private var waiting: StationTitle?
  /// True if no title was reported since the last packet.
  private var isFree = true

  /// Returns true if the title must be reported now. Otherwise the title waits, until a later title replaces it.
  mutating func accept(_ title: StationTitle, isJoined: Bool) -> Bool {
    guard isJoined, isFree else {
      waiting = title
      return false
    }
    isFree = false
    return true
  }

  /// Returns the waiting title, once; nil if another title was reported since the last packet.
  mutating func removeWaiting() -> StationTitle? {
    guard isFree, let title = waiting else { return nil }
    (waiting, isFree) = (nil, false)
    return title
  }

  mutating func recordPacket() { isFree = true }
}
