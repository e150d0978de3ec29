import Listings
import Units

/// Selects the next segment of an HLS station and the time to reload its list (RFC 8216, 6.3.3 to 6.3.5). A value.
struct SegmentSchedule: Hashable, Sendable {
  private(set) var list: SegmentList
  /// Number of the next segment, which the list may not contain yet.
  private(set) var next: UInt64
  private(set) var liveStart: UInt64
  /// Time of the last change of the list, or of a later reconnect.
  private(set) var changed: MonotonicTime
  private var isRejoining = false
  /// Reloads since `changed`: failed, empty or unchanged.
  private var sameCount = 0
  private var reload: MonotonicTime
  /// Consecutive failures of `next` without new audio, and the time of the first.
  private var failures = 0
  private var failing = MonotonicTime.zero
  /// Time of the last change of the list, not affected by reconnects.
  private var progressed: MonotonicTime
  private var retry = MonotonicTime.zero
  private var pace = RequestPace()
  /// Earliest time for the next list, by the size of the last one.
  private var affordable = MonotonicTime.zero
  /// Time of the last regular request for the list.
  private var requested = MonotonicTime.zero

  /// Seconds of audio that must be buffered when a segment is requested.
  private static let reserve = 1.0
  /// Number of failures after which a segment is skipped, if later segments are listed.
  static let maxFailures = 3
  /// Minimum number of later segments before a segment is expected on all servers.
  private static let minLaterSegments: UInt64 = 2
  /// Time after which a failing segment at the end of the list is skipped too, in multiples of the list's `pace`.
  private static let edgePatience = 3.0
  /// Time after which a failing segment of a finished list is skipped. Waiting is safe, since no newer segment follows.
  private static let endedPatience = Duration(milliseconds: 24_000)
  /// Minimum time between two requests for the list, and before a refused segment is requested again.
  static let minInterval = Duration(milliseconds: 1_000)
  /// Time after which an unchanged list may be an old copy from a cache, in multiples of its `pace`.
  private static let doubtfulAfter = 1.5
  /// Time after which an unchanged list counts as stalled, in multiples of its `pace`.
  private static let stalledAfter = 3.5

  init(_ list: SegmentList, at now: MonotonicTime) {
    self.list = list
    liveStart = Self.start(of: list)
    next = liveStart
    (changed, progressed) = (now, now)
    reload = now + Self.reloadInterval(list.pace)
  }

  // MARK: Start

  /// Returns the start segment: as the list requests, else the first if finished, or 3 target durations from the end.
  static func start(of list: SegmentList) -> UInt64 {
    if let start: PlaylistStart = list.start { return segment(at: start.offset, of: list) }
    if list.isEnded { return list.segments.first?.sequence ?? list.sequence }
    let distance = list.holdBack ?? StreamTime(ticks: list.usualDuration.ticks * 3)
    return segment(at: StreamTime(ticks: -max(1, distance.ticks)), of: list)
  }

  /// Returns the segment at a position, counted from the start of the list or, if negative, from its end.
  private static func segment(at place: StreamTime, of list: SegmentList) -> UInt64 {
    let time = place < .zero ? list.length + place : place
    var end = StreamTime.zero
    for segment in list.segments {
      end += segment.duration
      if end > time { return segment.sequence }
    }
    // A position after the end selects the last segment.
    return list.segments.last?.sequence ?? list.sequence
  }

  /// True if all segments from this one on need the same keys.
  func needsOnlyKey(of segment: MediaSegment) -> Bool {
    list.segments.allSatisfy {
      $0.sequence < segment.sequence
        || $0.key?.address == segment.key?.address && $0.map?.key?.address == segment.map?.key?.address
    }
  }

  // MARK: Due requests

  var segment: MediaSegment? {
    let segment = list.segment(from: next)
    return segment?.sequence == next ? segment : nil
  }

  /// True if the list has no segments yet.
  var isEmpty: Bool { list.segments.isEmpty }

  var isOver: Bool { list.isEnded && next >= list.end }

  func wantsSegment(at now: MonotonicTime) -> Bool { segment != nil && now >= max(retry, pace.next) }

  func wantsList(at now: MonotonicTime) -> Bool { !list.isEnded && now >= nextList }

  private var nextList: MonotonicTime { max(reload, affordable, pace.next) }

  /// True if `requests` more requests leave time for the next segment: sound comes first while little is buffered.
  /// `ahead`: undecoded audio. `isReceiving`: true if `next` is already requested.
  func leavesTime(for requests: Int, ahead: StreamTime, isReceiving: Bool, at now: MonotonicTime) -> Bool {
    guard now >= retry else { return true }
    let left = max(0, ahead.seconds - Self.reserve)
    return turn(after: requests, isReceiving: isReceiving, at: now) <= now + Duration(seconds: left)
  }

  /// Returns the earliest time for a segment after `requests` more requests. Without a listed segment, this time is
  /// not later than now once no earlier request counts.
  func turn(after requests: Int, isReceiving: Bool, at now: MonotonicTime) -> MonotonicTime {
    let isListed = list.segment(from: isReceiving ? next + 1 : next) != nil
    let count = requests + (isReceiving ? 1 : 0)
    return pace.next(after: isListed ? count : min(count, RequestPace.burst - 1), at: now)
  }

  /// Returns the time of the earliest request that is not yet running.
  func due(hasSegment: Bool, hasList: Bool, hasDoubted: Bool) -> MonotonicTime {
    guard segment == nil else {
      return min(
        hasSegment ? .never : max(retry, pace.next), hasList || list.isEnded ? .never : nextList)
    }
    guard !list.isEnded else { return .never }
    return min(hasList ? .never : nextList, hasDoubted ? .never : max(doubtful, pace.next), stuck)
  }

  /// A list that was not requested since its change is not unchanged.
  private var doubtful: MonotonicTime {
    let pace = list.pace.seconds
    let doubtful = max(affordable, changed + Duration(seconds: Self.doubtfulAfter * pace))
    if sameCount > 0 { return doubtful }
    guard requested > changed else { return .never }
    return max(doubtful, requested + Duration(seconds: (Self.doubtfulAfter - 1) * pace))
  }

  func isDoubtful(at now: MonotonicTime) -> Bool {
    !list.isEnded && segment == nil && now >= max(doubtful, pace.next)
  }

  func isChanged(_ other: SegmentList) -> Bool {
    other.sequence != list.sequence || other.end != list.end || other.isEnded
  }

  private var stuck: MonotonicTime {
    sameCount < 2 ? .never : max(affordable, changed + Duration(seconds: Self.stalledAfter * list.pace.seconds))
  }

  func isStuck(at now: MonotonicTime) -> Bool { !list.isEnded && segment == nil && now >= stuck }

  func timeUnchanged(at now: MonotonicTime) -> Duration { now - changed }

  // MARK: Events

  mutating func advance() {
    next += 1
    next = list.segment(from: next)?.sequence ?? next
    (failures, retry) = (0, .zero)
  }

  /// Skips the next segment and all following segments marked as gaps. Returns their total duration.
  mutating func skip(at now: MonotonicTime) -> StreamTime {
    var lost = StreamTime.zero
    repeat {
      lost += segment?.duration ?? .zero
      advance()
    } while segment?.isGap == true
    delayNext(at: now)
    return lost
  }

  mutating func move(to number: UInt64) {
    next = list.segment(from: number)?.sequence ?? number
    (failures, retry) = (0, .zero)
  }

  /// Position of the next segment relative to the live start.
  enum Place {
    /// In the server's window, after a rewind.
    case early
    /// Up to `nearCount` segments before the live start, as after a pause.
    case near
    case live
  }

  private static let nearCount: UInt64 = 8

  var place: Place {
    if list.isEnded || next >= liveStart { return .live }
    return liveStart - next <= Self.nearCount ? .near : .early
  }

  /// Records that the segment was refused or broke off. Returns true if the segment must be skipped. `hasMore`: true if
  /// new audio arrived. A list may be ahead of its servers, so a segment at its end gets more time. In a finished list
  /// the tries are 1, 2, 4 and 8 s apart.
  mutating func recordFailure(hasMore: Bool = false, at now: MonotonicTime) -> Bool {
    if failures == 0 || hasMore { (failures, failing) = (0, now) }
    failures += 1
    retry = now + Duration(nanoseconds: Self.minInterval.nanoseconds << (list.isEnded ? min(failures - 1, 3) : 0))
    guard failures >= Self.maxFailures, segment != nil else { return false }
    let isListedBehind = list.end >= next + 1 + Self.minLaterSegments
    if list.isEnded { return now - failing >= Self.endedPatience }
    return isListedBehind || now - failing >= Duration(seconds: Self.edgePatience * list.pace.seconds)
  }

  /// True if the next segment was refused or broke off.
  var hasFailed: Bool { failures > 0 }

  /// True if the next segment failed `maxFailures` times.
  var hasFailedOften: Bool { failures >= Self.maxFailures }

  mutating func delayNext(at now: MonotonicTime) { retry = now + Self.minInterval }

  mutating func count(_ requests: Int, at now: MonotonicTime) { pace.count(requests, at: now) }

  enum Refresh: Hashable, Sendable {
    case continued
    /// The list dropped segments of that total duration before their request.
    case dropped(StreamTime)
    /// The numbers restarted: the next packets are joined to the buffered packets.
    case restarted
  }

  /// `listed`: the newer list. A list without numbers gets those of the current list.
  mutating func refresh(_ listed: SegmentList, asked: MonotonicTime, at now: MonotonicTime) -> Refresh {
    let newer = listed.numbered(after: list)
    guard !newer.segments.isEmpty || newer.isEnded else {
      // The packager restarts, or the response was cut off.
      sameCount += 1
      reload = max(asked + Self.reloadInterval(list.pace, isSame: true), now + Duration(milliseconds: 500))
      return .continued
    }
    let (older, isSame, silence) = (list, !isChanged(newer), now - progressed)
    list = newer
    liveStart = Self.start(of: newer)
    if !isSame { (changed, progressed, sameCount) = (now, now, 0) } else { sameCount += 1 }
    reload = max(asked + Self.reloadInterval(newer.pace, isSame: isSame), now + Duration(milliseconds: 500))
    // A list that ends up to one list length before `next` may be an old copy from a cache. After a finished list or a
    // reconnect, old copies are not expected.
    let isOldCopy = newer.end + UInt64(newer.segments.count) >= next && !older.isEnded && !isRejoining
    defer { isRejoining = false }
    let isNew = older.isEnded && newer.end <= next && !newer.begins(as: older)
    if newer.end < next && !isOldCopy || newer.end < newer.sequence || isNew {
      next = liveStart
      return .restarted
    }
    let first = newer.segment(from: next)?.sequence ?? newer.end
    guard next < first else { return .continued }
    (failures, retry) = (0, .zero)
    guard first - next <= older.maxIncrease(in: silence) + newer.maxIncrease(in: silence) else {
      next = liveStart
      return .restarted
    }
    let lost = older.length(from: next, to: first)
    next = first
    return .dropped(lost)
  }

  mutating func recordListFailure(at now: MonotonicTime) {
    (reload, sameCount) = (now + Self.minInterval, sameCount + 1)
  }

  mutating func recordListRequest(at now: MonotonicTime) { requested = now }

  /// Limits all requests for a list together to 256 KiB/s. `byteCount`: size of a response requested at `asked`.
  mutating func recordListSize(_ byteCount: Int64, asked: MonotonicTime) {
    affordable = max(affordable, asked) + ReceiveRate.duration(of: byteCount)
  }

  /// Requests the list again at once, as fast as `pace` permits.
  mutating func hastenList(at now: MonotonicTime) { reload = now }

  /// Excludes the duration of a reconnect from the time without changes.
  mutating func recordReconnect(at now: MonotonicTime) { (changed, sameCount, isRejoining) = (now, 0, true) }

  /// Returns the time between requests: `target`, or half for an unchanged list (RFC 8216, 6.3.4), but at least 1 s.
  private static func reloadInterval(_ target: StreamTime, isSame: Bool = false) -> Duration {
    max(minInterval, Duration(seconds: target.seconds / (isSame ? 2 : 1)))
  }
}

extension SegmentList {
  fileprivate var end: UInt64 { segments.last.map { $0.sequence + 1 } ?? sequence }

  fileprivate func begins(as other: SegmentList) -> Bool {
    sequence == other.sequence && segments.first?.address == other.segments.first?.address
  }

  fileprivate func segment(from number: UInt64) -> MediaSegment? {
    var places = segments.indices
    while !places.isEmpty {
      let middle = places.lowerBound + places.count / 2
      places =
        segments[middle].sequence < number ? middle + 1..<places.upperBound : places.lowerBound..<middle
    }
    return places.lowerBound < segments.count ? segments[places.lowerBound] : nil
  }

  /// Expected interval between changes: the longest segment, from 1 s up to the target duration.
  fileprivate var pace: StreamTime {
    let longest = segments.map(\.duration).max() ?? .zero
    guard longest > .zero else { return min(targetDuration, Self.emptyPace) }
    return min(usualDuration, max(longest, StreamTime(seconds: 1)))
  }

  private static let emptyPace = StreamTime(seconds: 6)

  /// The target duration, or the median of the segments, up to one minute, if most segments are longer than stated.
  fileprivate var usualDuration: StreamTime {
    // A stated target is rounded to whole seconds.
    let longest = targetDuration + StreamTime(seconds: 0.5)
    guard segments.count(where: { $0.duration > longest }) > segments.count / 2 else { return targetDuration }
    let median = segments.map(\.duration).sorted()[segments.count / 2]
    return max(targetDuration, min(median, StreamTime(seconds: 60)))
  }

  /// Returns the maximum plausible increase of the numbers in `time`. A larger increase is a restart.
  fileprivate func maxIncrease(in time: Duration) -> UInt64 {
    UInt64(segments.count) + 8 + UInt64(max(0, min(1e9, 4 * time.seconds / max(1, pace.seconds))))
  }

  /// Returns the total duration. Unlisted segments count as a target duration each.
  func length(from first: UInt64, to end: UInt64) -> StreamTime {
    var ticks: Int64 = 0
    var count: UInt64 = 0
    for segment in segments where segment.sequence >= first && segment.sequence < end {
      ticks += segment.duration.ticks
      count += 1
    }
    let unlisted = Int64(min(end - first - count, UInt64(Self.segmentLimit)))
    return StreamTime(ticks: ticks + unlisted * targetDuration.ticks)
  }

  var length: StreamTime { StreamTime(ticks: segments.reduce(0) { $0 + $1.duration.ticks }) }
}
