import Blocks
import Framing
import Units

/// How a new connection was joined to what was held (R4.2).
public struct Stitch: Equatable, Sendable {
  /// What came again and was dropped.
  public var overlap: StreamTime
  /// What is missing; zero when seamless.
  public var lost: StreamTime
  /// Whether the place was proven.
  public var isExact: Bool
  /// Whether `overlap` or `lost` is a guess by the clock.
  public var isEstimated: Bool
}

/// A title that waited for its packets' place.
struct ReleasedTitle {
  var title: StationTitle
  /// The time that it belongs to.
  var at: StreamTime
  /// Whether it stood in the overlap, so that it may have been told when it came first.
  var isRepeated: Bool
}

/// Puts a programme's packets into the ring, and joins each new connection's to those held. The net thread's.
///
/// A new connection's packets wait, unseen by the reader, until their place is found or time is up; then the overlap is
/// dropped at a packet's border and the rest is published. After a proven stitch the decoder never notices. Where all
/// that came is held already, nothing is published, and the next connection is joined in its stead.
struct PacketKeeper: ~Copyable {
  var writer: BlockWriter
  private var stitcher = Stitcher()
  /// Titles with the number of waiting packets before them.
  private var titles: [(title: StationTitle, packet: Int)] = []
  private var released: [ReleasedTitle] = []

  /// When the new connection's packets are published even without a place; nil while nothing waits.
  private(set) var deadline: MonotonicTime?
  /// What it will be at the latest.
  private var latest = MonotonicTime.zero
  private var staged = 0
  private var stagedTime = StreamTime.zero
  private var lastStaged = MonotonicTime.zero
  private var isJoining = false
  /// Whether a place was found, and time is given to what speaks against it.
  private var isConfirming = false
  /// Whether anything of this connection was published.
  private var hasTaken = false
  /// Whether the overlap went to its last packet without a proof, so that the next one follows a gap.
  private var marksNext = false
  /// When the last packet before the new connection came.
  private var lastPacket = MonotonicTime.zero
  /// Seconds by which it came late, because the server had been made to wait.
  private var lag = 0.0
  /// Whether the server sent faster than real time and was slowed down, so that the clock tells nothing about what is
  /// missing.
  var wasThrottled = false

  init(_ writer: consuming BlockWriter) { self.writer = writer }

  /// A new programme.
  mutating func begin(epoch: UInt32) {
    writer.begin(epoch: epoch)
    stitcher.forget()
    endJoining()
    (marksNext, wasThrottled, lag) = (false, false, 0)
  }

  /// A new connection of the same programme; what an older one left waiting was settled.
  mutating func join() {
    isJoining = !stitcher.isEmpty
    hasTaken = false
    stitcher.begin()
  }

  /// The connection is over; its last packet came so many seconds late, because the server had been made to wait.
  mutating func leave(lag: Double) { if hasTaken { self.lag = lag } }

  /// The last packet is in.
  mutating func finish() { writer.finish() }

  /// Takes a packet; a stitch where it decided one.
  mutating func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, at now: MonotonicTime) -> Stitch? {
    let packet = PacketPrint(of: bytes)
    guard isJoining else {
      lastPacket = now
      hasTaken = true
      stitcher.hold(packet)
      append(info, bytes)
      return nil
    }
    if staged == 0 { latest = now + patience }
    deadline = deadline ?? latest
    let place = stitcher.offer(packet)
    guard writer.stage(info, bytes) else { return settle() }
    staged += 1
    stagedTime += info.duration
    lastStaged = now
    if stitcher.isFull { return settle() }
    if stitcher.fitsNowhere, writer.ahead < Self.little { deadline = min(latest, now + Self.lull) }
    return place.flatMap { confirm($0, at: now) }
  }

  /// The one place is found: settles at once where little is held, else sees for a moment whether more of the burst
  /// speaks against it.
  private mutating func confirm(_ count: Int, at now: MonotonicTime) -> Stitch? {
    guard !isConfirming, !isDoubtful(count) else { return nil }
    isConfirming = true
    guard case .overlap(_, isProven: true) = stitcher.verdict(expecting: count) else { return nil }
    let due = now + MonotonicTime(seconds: max(0, min(writer.ahead.seconds - 0.5, 0.25)))
    deadline = min(deadline ?? due, due)
    return due == now ? settle() : nil
  }

  private mutating func append(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    var info = info
    if marksNext { info.followsGap = true }
    marksNext = false
    if !writer.append(info, bytes) { stitcher.forget() }
  }

  /// Takes a title; the time that it belongs to, unless it has to wait for its packets' place.
  mutating func take(_ title: StationTitle) -> StreamTime? {
    guard isJoining else { return writer.time }
    if titles.count == Self.mostTitles { titles.removeFirst() }
    titles.append((title, staged))
    return nil
  }

  private static let mostTitles = 64

  /// Titles that waited and may now be told.
  mutating func releasedTitles() -> [ReleasedTitle] {
    defer { released = [] }
    return released
  }

  /// A place is found within what is held, less half a second, and two seconds at most. Where hardly anything is held,
  /// a burst still gets the time that it needs on its way: nothing sounds before a second of it is there.
  private var patience: MonotonicTime {
    MonotonicTime(seconds: max(0.25, min(writer.ahead.seconds - 0.5, 2)))
  }

  /// With less than this held, a second matters, and no time is lost once no place can fit: then the burst's end is
  /// awaited only to know how much of the programme is missing.
  private static let little = StreamTime(seconds: 0.5)
  /// A pause that ends a burst.
  private static let lull = MonotonicTime(milliseconds: 40)

  /// Settles a place when time is up, unless what waits lies within what is held, and its end is still to come.
  mutating func settleInTime(at now: MonotonicTime) -> Stitch? {
    guard let deadline, now >= deadline else { return nil }
    guard isJoining, stitcher.verdict(expecting: 0) == .inside(isProven: true) else { return settle() }
    self.deadline = now + patience
    return nil
  }

  /// Publishes what waits by the best that is known; where the connection is over, not what lies within what is held.
  mutating func settle(isOver: Bool = false) -> Stitch? {
    guard isJoining, staged > 0 else {
      endJoining()
      return nil
    }
    let expected = expectedOverlap
    let packets = Int(Double(staged) * max(0, expected) / max(0.001, stagedTime.seconds))
    let missing = wasThrottled ? 0 : max(0, -expected)
    switch stitcher.verdict(expecting: packets) {
    case .overlap(let count, let isProven):
      return publish(count, isProven: isProven && !isDoubtful(count), missing: missing)
    case .inside where isOver:
      writer.unstage()
      endJoining()
      return nil
    case .inside(isProven: true): return publish(staged, isProven: false)
    case .inside, .none:
      return publish(wasThrottled ? 0 : min(staged, packets), isProven: false, missing: missing)
    }
  }

  /// Seconds of what waits that were sent before, by the clock: what waits ends now, what is held ended when its last
  /// packet came in time.
  private var expectedOverlap: Double { stagedTime.seconds - (lastStaged - lastPacket).seconds - lag }

  /// Whether an overlap is so much longer than the clock allows that the same packets may have been sent twice, as a
  /// jingle is. A relay that comes back, or a station that stood still, may be late by less.
  private func isDoubtful(_ count: Int) -> Bool {
    let overlap = stagedTime.seconds * Double(count) / Double(staged)
    return !wasThrottled && overlap - expectedOverlap > Self.mostDelay
  }

  private static let mostDelay = 10.0

  private mutating func publish(_ dropped: Int, isProven: Bool, missing: Double = 0) -> Stitch {
    let start = writer.time
    let overlap = writer.publishStaged(dropping: dropped, followsGap: !isProven)
    marksNext = !isProven && dropped == staged
    stitcher.holdFresh(dropping: dropped)
    hasTaken = true
    release(dropped, from: start)
    lastPacket = lastStaged
    (wasThrottled, lag) = (false, 0)
    endJoining()
    return Stitch(
      overlap: overlap, lost: isProven ? .zero : StreamTime(seconds: missing), isExact: isProven,
      isEstimated: !isProven)
  }

  /// Titles of the overlap were told before, but perhaps for the last of them; the others move to their packets' time.
  private mutating func release(_ dropped: Int, from start: StreamTime) {
    let rest = max(1, staged - dropped)
    let length = writer.time - start
    let firstAfter = titles.firstIndex { $0.packet > dropped } ?? titles.count
    released = titles.enumerated().compactMap { index, entry in
      guard index >= firstAfter - 1 else { return nil }
      let share = Double(max(0, entry.packet - dropped)) / Double(rest)
      return ReleasedTitle(
        title: entry.title, at: start + StreamTime(seconds: length.seconds * share), isRepeated: entry.packet < dropped)
    }
  }

  private mutating func endJoining() {
    (isJoining, isConfirming) = (false, false)
    deadline = nil
    staged = 0
    stagedTime = .zero
    titles = []
  }
}
