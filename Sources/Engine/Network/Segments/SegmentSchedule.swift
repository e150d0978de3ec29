import Listings
import Units

/// Which segment of an HLS station comes next, and when its list is asked for again (RFC 8216, 6.3.3 to 6.3.5). A
/// value: each moment is given.
struct SegmentSchedule: Hashable, Sendable {
  /// The list as it came last.
  private(set) var list: SegmentList
  /// The number of the segment that comes next; the list may not have it yet.
  private(set) var next: UInt64
  /// The segment that a listener begins with now.
  private(set) var liveStart: UInt64
  /// When the list was another one last.
  private(set) var changed: MonotonicTime
  /// When it is asked for again.
  private var reload: MonotonicTime
  /// How often the server refused `next`.
  private var refusals = 0
  /// When `next` may be asked for.
  private var retry = MonotonicTime.zero
  /// How often anything is.
  private var pace = RequestPace()

  /// A segment that its server refuses so many times is passed over.
  static let mostRefusals = 3
  /// No list is asked for more often, whatever it says, and no segment again after a refusal.
  static let shortest = Duration(milliseconds: 1_000)
  /// A list that is the same for so many target durations is asked for beside, as a cache may have kept it.
  private static let trust = 1.5
  /// A list that is the same for so many target durations is its packager's last word.
  private static let patience = 3.5

  /// The schedule of a station whose list came now.
  init(_ list: SegmentList, at now: MonotonicTime) {
    self.list = list
    liveStart = Self.start(of: list)
    next = liveStart
    changed = now
    reload = now + Self.pause(list.pace)
  }

  // MARK: Where it begins

  /// Where a listener begins: as the list says, or else three target durations before its end; a list that is finished
  /// is begun at its first segment.
  static func start(of list: SegmentList) -> UInt64 {
    if let start: PlaylistStart = list.start { return segment(at: start.offset, of: list) }
    if list.isEnded { return list.segments.first?.sequence ?? list.sequence }
    let distance = list.holdBack ?? StreamTime(ticks: list.targetDuration.ticks * 3)
    return segment(at: StreamTime(ticks: -max(1, distance.ticks)), of: list)
  }

  /// The segment that sounds at a place, counted from the list's begin or, where it is negative, from its end.
  private static func segment(at place: StreamTime, of list: SegmentList) -> UInt64 {
    let time = place < .zero ? list.length + place : place
    var end = StreamTime.zero
    for segment in list.segments {
      end += segment.duration
      if end > time { return segment.sequence }
    }
    // What lies behind the end begins with the last one.
    return list.segments.last?.sequence ?? list.sequence
  }

  // MARK: What is due

  /// The segment that comes next; nil where the list has not got it.
  var segment: MediaSegment? {
    let segment = list.segment(from: next)
    return segment?.sequence == next ? segment : nil
  }

  /// Whether the last one of a finished list is there.
  var isOver: Bool { list.isEnded && next >= list.end }

  /// Whether the next segment is asked for now.
  func wantsSegment(at now: MonotonicTime) -> Bool { segment != nil && now >= max(retry, pace.next) }

  /// Whether the list is asked for now.
  func wantsList(at now: MonotonicTime) -> Bool { !list.isEnded && now >= reload }

  /// When one of the two is, that is not asked for yet.
  func due(hasSegment: Bool, hasList: Bool, hasDoubted: Bool) -> MonotonicTime {
    guard segment == nil else {
      return min(hasSegment ? .never : max(retry, pace.next), hasList || list.isEnded ? .never : reload)
    }
    guard !list.isEnded else { return .never }
    return min(hasList ? .never : reload, hasDoubted ? .never : doubtful, stuck)
  }

  /// When a list that stays as it is may be an old copy.
  private var doubtful: MonotonicTime { changed + Duration(seconds: Self.trust * list.pace.seconds) }

  /// Whether the list has been the same for so long that it is asked for beside.
  func isDoubtful(at now: MonotonicTime) -> Bool { !list.isEnded && segment == nil && now >= doubtful }

  /// Whether a list is another one than that which is there.
  func isNews(_ other: SegmentList) -> Bool {
    other.sequence != list.sequence || other.end != list.end || other.isEnded
  }

  /// When a list that stays as it is shows that its packager stands still.
  private var stuck: MonotonicTime { changed + Duration(seconds: Self.patience * list.pace.seconds) }

  /// Whether the list has been the same for so long that it is joined anew.
  func isStuck(at now: MonotonicTime) -> Bool { !list.isEnded && segment == nil && now >= stuck }

  /// How long the list has been the same.
  func stillness(at now: MonotonicTime) -> Duration { now - changed }

  // MARK: What happens

  /// The last byte of the segment came, or it is passed over: the next one that the list has, or will have, follows.
  mutating func advance() {
    next += 1
    next = list.segment(from: next)?.sequence ?? next
    (refusals, retry) = (0, .zero)
  }

  /// Goes to the segment of a number, or to the first one behind it.
  mutating func go(to number: UInt64) {
    next = list.segment(from: number)?.sequence ?? number
    (refusals, retry) = (0, .zero)
  }

  /// Whether what comes next lies before what a listener hears who begins now.
  var isBehindLive: Bool { !list.isEnded && next < liveStart }

  /// The segment was refused; what is passed over where that was once too often, nil where it is asked for again.
  mutating func refused(at now: MonotonicTime) -> StreamTime? {
    refusals += 1
    guard refusals >= Self.mostRefusals, let segment else {
      retry = now + Self.shortest
      return nil
    }
    advance()
    return segment.duration
  }

  /// The next segment is not asked for at once: the one before brought nothing.
  mutating func wait(at now: MonotonicTime) { retry = now + Self.shortest }

  /// So many requests were made.
  mutating func count(_ requests: Int, at now: MonotonicTime) { pace.count(requests, at: now) }

  /// What a list that came again says.
  enum Refresh: Hashable, Sendable {
    /// It goes on where the one before did.
    case goesOn
    /// It has left behind what was to come: so much is lost.
    case passed(StreamTime)
    /// It counts anew: its station began again, and is joined by its packets.
    case restarted
  }

  /// The list came again, as it was asked for at a moment.
  mutating func refresh(_ newer: SegmentList, asked: MonotonicTime, at now: MonotonicTime) -> Refresh {
    guard !newer.segments.isEmpty || newer.isEnded else {
      // Its packager is about to begin again, or what came of it was cut off.
      reload = max(asked + Self.pause(list.pace, isSame: true), now + Duration(milliseconds: 500))
      return .goesOn
    }
    let (older, isSame) = (list, !isNews(newer))
    list = newer
    liveStart = Self.start(of: newer)
    if !isSame { changed = now }
    reload = max(asked + Self.pause(newer.pace, isSame: isSame), now + Duration(milliseconds: 500))
    // An old copy of the list may come from a cache: the next segments are at most some before the end of it then.
    if newer.end + UInt64(newer.segments.count) < next || newer.end < newer.sequence {
      next = liveStart
      return .restarted
    }
    // Of the list the first segment that may come: before it there are none, or a hole.
    let first = newer.segment(from: next)?.sequence ?? newer.end
    guard next < first else { return .goesOn }
    let lost = older.length(from: next, to: first)
    next = first
    (refusals, retry) = (0, .zero)
    return .passed(lost)
  }

  /// The list could not be had: it is asked for again.
  mutating func failedList(at now: MonotonicTime) { reload = now + Self.shortest }

  /// It is connected anew: the time that that took does not count.
  mutating func rejoin(at now: MonotonicTime) { changed = now }

  /// How long after a request for the list the next one is due (RFC 8216, 6.3.4).
  private static func pause(_ target: StreamTime, isSame: Bool = false) -> Duration {
    max(shortest, Duration(seconds: target.seconds / (isSame ? 2 : 1)))
  }
}

extension SegmentList {
  /// The number behind its last segment.
  fileprivate var end: UInt64 { segments.last.map { $0.sequence + 1 } ?? sequence }

  /// The first segment of a number or behind it; nil where there is none.
  fileprivate func segment(from number: UInt64) -> MediaSegment? {
    var places = segments.indices
    while !places.isEmpty {
      let middle = places.lowerBound + places.count / 2
      places =
        segments[middle].sequence < number ? middle + 1..<places.upperBound : places.lowerBound..<middle
    }
    return places.lowerBound < segments.count ? segments[places.lowerBound] : nil
  }

  /// How often it may change: a target duration, if its segments are as long.
  fileprivate var pace: StreamTime {
    let longest = segments.map(\.duration).max() ?? .zero
    return longest > .zero ? min(targetDuration, max(longest, StreamTime(seconds: 1))) : targetDuration
  }

  /// What the segments between two numbers sound: as they are listed, or else a target duration each.
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

  /// How long all of its segments sound.
  var length: StreamTime { StreamTime(ticks: segments.reduce(0) { $0 + $1.duration.ticks }) }
}
