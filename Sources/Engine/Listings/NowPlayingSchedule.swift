import Units

/// What is on the air by a feed, and when to ask it again: the events, the clock and the station's zone decide.
///
/// A clock that is far off, the station's or this machine's, makes no title vanish: times that cannot be are taken for
/// unknown, and what is on then counts from when it is seen.
public struct NowPlayingSchedule: Equatable, Sendable {
  /// The song that is on; nil where none is, or nothing that is a song.
  public private(set) var song: NowPlayingEvent?
  /// When it began, in seconds since 1970, by the feed; nil where that is not known.
  public private(set) var start: Double?
  /// In how many seconds the feed is to be asked again; 5 … 600.
  public private(set) var wait: Double

  /// The shortest time between two requests, in seconds.
  public static let shortest = 5.0
  /// The time where no end can be computed.
  public static let usual = 15.0
  /// The longest: what was planned may change.
  public static let longest = 600.0
  /// Where Live365 tells none.
  public static let refresh = 60

  /// Clocks that differ by no more are taken to be the same.
  private static let slack = 5.0
  /// What begins so much later is not on now.
  private static let soon = 1_800.0
  /// What began so long ago, and did not end later, is not on any more: a clock is wrong.
  private static let old = 5_400.0
  /// What begins later than this is no plan for now.
  private static let far = 21_600.0

  private struct Slot {
    var event: NowPlayingEvent
    var start: Double?
    var end: Double?
    /// When it was to begin, where it has begun before.
    var planned: Double?
  }

  /// What AudioVault's XML, or one like it, says at `now`, seconds since 1970; the stream is `delay` seconds behind it.
  public init(_ feed: NowPlayingFeed, now: Double, zone: StationZone?, delay: Double) {
    let clock = Int64(max(-4e9, min(4e11, now)))
    let slots = feed.events.map { event -> Slot in
      let start = event.start?.moment(near: clock, in: zone).map { Double($0) }
      let end = event.end?.moment(near: clock, in: zone).map { Double($0) }
      let length = event.length.flatMap { length in start.map { $0 + length } }
      return Slot(event: event, start: start, end: end.flatMap { $0 > start ?? 0 ? $0 : nil } ?? length)
    }
    let current = Self.current(slots, now)
    if let event = current?.event, event.isSong, event.isNamed { (song, start) = (event, current?.start) }
    wait = Self.wait(current, slots, now, delay)
  }

  /// What Live365's XML says: the first entry is on, and the feed itself says when it wants to be asked again.
  public init(live365 feed: NowPlayingFeed) {
    if let event = feed.events.first, event.isSong, event.isNamed { song = event }
    wait = Double(max(Int(Self.shortest), min(Int(Self.longest), feed.refresh ?? Self.refresh)))
  }

  /// What is on; its start is nil where it cannot be right.
  private static func current(_ slots: [Slot], _ now: Double) -> Slot? {
    if var told = slots.first(where: { $0.event.phase == .now }) {
      // It is on, whenever it was to begin, and lasts as long as it was to last.
      if let start = told.start, start > now {
        told.end = start - now < soon ? told.end.map { $0 - start + now } : nil
        told.start = start - now < soon ? now : nil
        told.planned = start
      }
      return believed(told, now)
    }
    let open = slots.filter { $0.event.phase != .next }
    let begun = open.filter { $0.start.map { $0 <= now + slack } ?? false }
    if let latest = begun.max(by: { ($0.start ?? 0) < ($1.start ?? 0) }) { return believed(latest, now) }
    if let timeless = open.first(where: { $0.start == nil && $0.event.phase != .past }) { return timeless }
    // Nothing has begun: it will, or a clock is wrong.
    guard var first = open.first, open.allSatisfy({ ($0.start ?? 0) > now + soon }) else { return nil }
    (first.start, first.end) = (nil, nil)
    return first
  }

  private static func believed(_ slot: Slot, _ now: Double) -> Slot {
    var slot = slot
    if let start = slot.start, now - max(start, slot.end ?? start) > old { (slot.start, slot.end) = (nil, nil) }
    return slot
  }

  private static func wait(_ current: Slot?, _ slots: [Slot], _ now: Double, _ delay: Double) -> Double {
    let begun = current?.start ?? now
    let next = slots.compactMap(\.start).filter { $0 > max(begun, current?.planned ?? begun) && $0 < now + far }.min()
    // Without a start of its own, what is on is not known to last until the next.
    let isTimed = current == nil || current?.start != nil
    guard isTimed, let end = [current?.end, next].compactMap({ $0 }).min() else { return usual }
    // No later than its successor may end: else that one would never be seen.
    let lag = min(delay, max(end - begun, shortest))
    let due = [end + lag, end].first { $0 - now >= shortest }
    if let due { return min(due - now, longest) }
    return now - max(end, end + lag) > 60 ? usual : shortest
  }
}
