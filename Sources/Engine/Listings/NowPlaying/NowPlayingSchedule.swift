import Units

/// The current song of a feed, and the time of the next request, computed from events, clock and the station's zone.
///
/// A wrong clock, of the station or of this machine, never hides a title. Impossible times count as unknown: the
/// current event then starts when it is first seen.
public struct NowPlayingSchedule: Equatable, Sendable {
  /// The current song; nil if no event is current, or if the current event is not a named song.
  public private(set) var song: NowPlayingEvent?
  /// The song's start according to the feed, in seconds since 1970; nil if unknown.
  public private(set) var start: Double?
  /// Seconds until the next request, 5 … 600.
  public private(set) var wait: Double

  /// Minimum time between two requests, in seconds.
  public static let minWait = 5.0
  /// Seconds until the next request if no end is known, or if the end is long past.
  public static let usual = 15.0
  /// Maximum seconds until the next request, because plans may change.
  public static let maxWait = 600.0
  /// Seconds until the next request if a Live365 feed has no `Refresh`.
  public static let refresh = 60

  /// Tolerance between two clocks, in seconds.
  private static let slack = 5.0
  /// Seconds; a current event that starts further ahead means a wrong clock.
  private static let soon = 1_800.0
  /// Seconds; a current event whose start and end are longer ago means a wrong clock.
  private static let old = 5_400.0
  /// Seconds; an event that starts further ahead does not count as the next event.
  private static let far = 21_600.0

  private struct Slot {
    var event: NowPlayingEvent
    var start: Double?
    var end: Double?
    /// The planned start of an event that the feed marks as current before that time.
    var planned: Double?
  }

  /// Evaluates a feed with times, such as AudioVault's, at `now`, in seconds since 1970. The stream lags the feed by
  /// `delay` seconds.
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

  /// Evaluates Live365's feed: the first entry is current, and the feed states the time of the next request.
  public init(live365 feed: NowPlayingFeed) {
    if let event = feed.events.first, event.isSong, event.isNamed { song = event }
    wait = Double(max(Int(Self.minWait), min(Int(Self.maxWait), feed.refresh ?? Self.refresh)))
  }

  /// Returns the current event; its start and end are nil if they cannot be correct.
  private static func current(_ slots: [Slot], _ now: Double) -> Slot? {
    if var told = slots.first(where: { $0.event.phase == .now }) {
      // The feed marks it as current: it starts now at the latest, and keeps its planned duration.
      if let start = told.start, start > now {
        told.end = start - now < soon ? told.end.map { $0 - start + now } : nil
        told.start = start - now < soon ? now : nil
        told.planned = start
      }
      return believed(told, now)
    }
    let open = slots.filter { $0.event.phase == nil }
    let begun = open.filter { $0.start.map { $0 <= now + slack } ?? false }
    if let latest = begun.max(by: { ($0.start ?? 0) < ($1.start ?? 0) }) { return believed(latest, now) }
    if let timeless = open.first(where: { $0.start == nil }) { return timeless }
    // All events are in the future. If an event starts soon, no event is current; otherwise a clock is wrong.
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
    // Without a start, the current event may end before the next event starts.
    let isTimed = current == nil || current?.start != nil
    guard isTimed, let end = [current?.end, next].compactMap({ $0 }).min() else { return usual }
    // With a lag longer than the current event, the next event could be missed.
    let lag = min(delay, max(end - begun, minWait))
    let due = [end + lag, end].first { $0 - now >= minWait }
    if let due { return min(due - now, maxWait) }
    return now - max(end, end + lag) > 60 ? usual : minWait
  }
}
