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
  /// Whether the list comes next by a new connection.
  private var isRejoining = false
  /// How often it was asked for since then, in vain.
  private var sameCount = 0
  /// When it is asked for again.
  private var reload: MonotonicTime
  /// How often in a row `next` brought nothing more, and since when.
  private var failures = 0
  private var failing = MonotonicTime.zero
  /// When the list brought another segment last, as far as that was seen.
  private var progressed: MonotonicTime
  /// When `next` may be asked for.
  private var retry = MonotonicTime.zero
  /// How often anything is.
  private var pace = RequestPace()

  /// A segment that fails so many times is passed over, if others are listed behind it.
  static let mostFailures = 3
  /// So many segments behind one show that it is no more on its way to the servers.
  private static let edge: UInt64 = 2
  /// A segment at the list's edge that fails for so many target durations is passed over too.
  private static let edgePatience = 3.0
  /// One of a finished list has time: nothing comes behind it that would be missed.
  private static let endedPatience = Duration(milliseconds: 24_000)
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
    (changed, progressed) = (now, now)
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
  func wantsList(at now: MonotonicTime) -> Bool { !list.isEnded && now >= max(reload, pace.next) }

  /// When one of the two is, that is not asked for yet.
  func due(hasSegment: Bool, hasList: Bool, hasDoubted: Bool) -> MonotonicTime {
    guard segment == nil else {
      return min(
        hasSegment ? .never : max(retry, pace.next), hasList || list.isEnded ? .never : max(reload, pace.next))
    }
    guard !list.isEnded else { return .never }
    return min(hasList ? .never : max(reload, pace.next), hasDoubted ? .never : max(doubtful, pace.next), stuck)
  }

  /// When a list that stays as it is may be an old copy.
  private var doubtful: MonotonicTime { changed + Duration(seconds: Self.trust * list.pace.seconds) }

  /// Whether the list has been the same for so long that it is asked for beside.
  func isDoubtful(at now: MonotonicTime) -> Bool {
    !list.isEnded && segment == nil && now >= max(doubtful, pace.next)
  }

  /// Whether a list is another one than that which is there.
  func isNews(_ other: SegmentList) -> Bool {
    other.sequence != list.sequence || other.end != list.end || other.isEnded
  }

  /// When a list that stays as it is shows that its packager stands still: not before it was asked for twice.
  private var stuck: MonotonicTime {
    sameCount < 2 ? .never : changed + Duration(seconds: Self.patience * list.pace.seconds)
  }

  /// Whether the list has been the same for so long that it is joined anew.
  func isStuck(at now: MonotonicTime) -> Bool { !list.isEnded && segment == nil && now >= stuck }

  /// How long the list has been the same.
  func stillness(at now: MonotonicTime) -> Duration { now - changed }

  // MARK: What happens

  /// The last byte of the segment came, or it is passed over: the next one that the list has, or will have, follows.
  mutating func advance() {
    next += 1
    next = list.segment(from: next)?.sequence ?? next
    (failures, retry) = (0, .zero)
  }

  /// Passes over the segment, and those behind it of which the list says that they are not there; how long they sound.
  mutating func passOver(at now: MonotonicTime) -> StreamTime {
    var lost = StreamTime.zero
    repeat {
      lost += segment?.duration ?? .zero
      advance()
    } while segment?.isGap == true
    wait(at: now)
    return lost
  }

  /// Goes to the segment of a number, or to the first one behind it.
  mutating func go(to number: UInt64) {
    next = list.segment(from: number)?.sequence ?? number
    (failures, retry) = (0, .zero)
  }

  /// Whether what comes next lies before what a listener hears who begins now.
  var isBehindLive: Bool { !list.isEnded && next < liveStart }

  /// The segment was refused, or broke off, having brought more of it or not; whether it is passed over now, or else
  /// asked for again. A list may be ahead of its servers: what stands at its edge is given more time.
  mutating func failed(hasMore: Bool = false, at now: MonotonicTime) -> Bool {
    if failures == 0 || hasMore { (failures, failing) = (0, now) }
    failures += 1
    retry = now + Self.shortest
    guard failures >= Self.mostFailures, segment != nil else { return false }
    let isListedBehind = list.end >= next + 1 + Self.edge
    if list.isEnded { return now - failing >= Self.endedPatience }
    return isListedBehind || now - failing >= Duration(seconds: Self.edgePatience * list.pace.seconds)
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
      sameCount += 1
      reload = max(asked + Self.pause(list.pace, isSame: true), now + Duration(milliseconds: 500))
      return .goesOn
    }
    let (older, isSame, silence) = (list, !isNews(newer), now - progressed)
    list = newer
    liveStart = Self.start(of: newer)
    if !isSame { (changed, progressed, sameCount) = (now, now, 0) } else { sameCount += 1 }
    reload = max(asked + Self.pause(newer.pace, isSame: isSame), now + Duration(milliseconds: 500))
    // An old copy of the list may come from a cache: the next segments are at most some before the end of it then. None
    // comes behind one that had an end, or after so long that a new connection was made.
    let isOldCopy = newer.end + UInt64(newer.segments.count) >= next && !older.isEnded && !isRejoining
    defer { isRejoining = false }
    let isNew = older.isEnded && newer.end <= next && !newer.begins(as: older)
    if newer.end < next && !isOldCopy || newer.end < newer.sequence || isNew {
      next = liveStart
      return .restarted
    }
    // Of the list the first segment that may come: before it there are none, or a hole.
    let first = newer.segment(from: next)?.sequence ?? newer.end
    guard next < first else { return .goesOn }
    (failures, retry) = (0, .zero)
    guard first - next <= older.mostNew(in: silence) + newer.mostNew(in: silence) else {
      next = liveStart
      return .restarted
    }
    let lost = older.length(from: next, to: first)
    next = first
    return .passed(lost)
  }

  /// The list could not be had: it is asked for again.
  mutating func failedList(at now: MonotonicTime) { (reload, sameCount) = (now + Self.shortest, sameCount + 1) }

  /// It is connected anew: the time that that took does not count.
  mutating func rejoin(at now: MonotonicTime) { (changed, sameCount, isRejoining) = (now, 0, true) }

  /// How long after a request for the list the next one is due (RFC 8216, 6.3.4).
  private static func pause(_ target: StreamTime, isSame: Bool = false) -> Duration {
    max(shortest, Duration(seconds: target.seconds / (isSame ? 2 : 1)))
  }
}

extension SegmentList {
  /// The number behind its last segment.
  fileprivate var end: UInt64 { segments.last.map { $0.sequence + 1 } ?? sequence }

  /// Whether its first segment is another one's.
  fileprivate func begins(as other: SegmentList) -> Bool {
    sequence == other.sequence && segments.first?.address == other.segments.first?.address
  }

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
    guard longest > .zero else { return min(targetDuration, Self.emptyPace) }
    return min(targetDuration, max(longest, StreamTime(seconds: 1)))
  }

  /// Without segments a list is one that begins, whatever it says of them.
  private static let emptyPace = StreamTime(seconds: 6)

  /// How many numbers it can have gone on in a time, if it does not count anew: four times as many as it should have.
  fileprivate func mostNew(in time: Duration) -> UInt64 {
    UInt64(segments.count) + 8 + UInt64(max(0, min(1e9, 4 * time.seconds / max(1, pace.seconds))))
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
