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
/// that came is held already, it waits only as long as the clock says that its end comes in time; else it is published
/// as new. A wrong guess costs one repetition, and never silence.
struct StreamSplicer: ~Copyable {
  var writer: BlockWriter
  private var stitcher = Stitcher()
  private var clock = JoinClock()
  /// Titles with the waiting packets before them: how many, and how long they sound.
  private var titles: [(title: StationTitle, packet: Int, length: StreamTime)] = []
  private var released: [ReleasedTitle] = []

  /// When the place of the new connection's packets is decided, or looked at again; nil while nothing waits.
  private(set) var deadline: MonotonicTime?
  /// What it is where no place is found.
  private var latest = MonotonicTime.zero
  private var isJoining = false
  /// Whether the new connection begins at a place that is held for certain, so that what lies within what is held is
  /// passed over at once; so many packets were, and so long they sound.
  private var comesAgain = false
  private var passed = (count: 0, length: StreamTime.zero)
  /// Whether a place was found, and time is given to what speaks against it.
  private var isConfirming = false
  /// Whether anything of this connection was published.
  private var hasTaken = false
  /// Whether the overlap went to its last packet without a proof, so that the next one follows a gap.
  private var marksNext = false

  init(_ writer: consuming BlockWriter) { self.writer = writer }

  /// A new programme.
  mutating func begin(epoch: UInt32) {
    writer.begin(epoch: epoch)
    stitcher.forget()
    clock.forget()
    endJoining()
    marksNext = false
  }

  /// A new connection of the same programme; what an older one left waiting was settled. Where what it begins with
  /// `comesAgain` for certain, it is passed over as long as it lies within what is held: nothing of it is new.
  mutating func join(comesAgain: Bool = false) {
    isJoining = !stitcher.isEmpty
    self.comesAgain = comesAgain
    hasTaken = false
    stitcher.begin()
  }

  /// The connection is over; its last packet came so many seconds late, because the server had been made to wait.
  mutating func leave(lag: Double) { if hasTaken { clock.leave(lag: lag) } }

  /// The server sends faster than real time and is slowed down.
  mutating func throttle() { clock.wasThrottled = true }

  /// The connection is made to wait, whatever the reason.
  mutating func holdUp() { clock.holdUp() }

  /// The last packet is in.
  mutating func finish() { writer.finish() }

  /// Takes a packet; a stitch where it decided one.
  mutating func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, at now: MonotonicTime) -> Stitch? {
    let packet = PacketPrint(of: bytes)
    guard isJoining else {
      keep(info, bytes, packet, at: now)
      return nil
    }
    if clock.count == 0 {
      clock.begin(ahead: writer.ahead, at: now)
      latest = now + patience
    }
    deadline = deadline ?? latest
    guard writer.stage(info, bytes) else {
      let stitch = settle()
      keep(info, bytes, packet, at: now)
      return stitch
    }
    let place = stitcher.offer(packet)
    clock.add(info.duration, at: now)
    if comesAgain, stitcher.isInside {
      writer.unstage()
      passed = (clock.count, passed.length + info.duration)
    }
    if stitcher.isFull { return settle() }
    if stitcher.fitsNowhere, writer.ahead < Self.little { deadline = min(latest, now + Self.lull) }
    return place.flatMap { confirm($0, at: now) }
  }

  /// The one place is found: settles at once where little is held, else sees for a moment whether more of the burst
  /// speaks against it.
  private mutating func confirm(_ count: Int, at now: MonotonicTime) -> Stitch? {
    assert(count <= clock.count, "the overlap is of packets that wait")
    // The only place of what comes again for certain needs no further proof.
    if comesAgain { return publish(count, isProven: true) }
    guard !isConfirming, !clock.isDoubtful(count) else { return nil }
    isConfirming = true
    guard case .overlap(_, isProven: true) = stitcher.verdict(expecting: count) else { return nil }
    let due = now + Duration(seconds: max(0, min(writer.ahead.seconds - 0.5, 0.25)))
    deadline = min(deadline ?? due, due)
    return due == now ? settle() : nil
  }

  /// Takes a packet that follows on what is held.
  private mutating func keep(
    _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ packet: PacketPrint, at now: MonotonicTime
  ) {
    clock.hold(at: now)
    hasTaken = true
    stitcher.hold(packet)
    var info = info
    if marksNext { info.followsGap = true }
    marksNext = false
    if !writer.append(info, bytes) { stitcher.forget() }
  }

  /// Takes a title; the time that it belongs to, unless it has to wait for its packets' place.
  mutating func take(_ title: StationTitle) -> StreamTime? {
    guard isJoining else { return writer.time }
    if titles.count == Self.mostTitles { titles.removeFirst() }
    titles.append((title, clock.count, clock.length))
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
  private var patience: Duration {
    Duration(seconds: max(0.25, min(writer.ahead.seconds - 0.5, 2)))
  }

  /// With less than this held, a second matters, and no time is lost once no place can fit: then the burst's end is
  /// awaited only to know how much of the programme is missing.
  private static let little = StreamTime(seconds: 0.5)
  /// A pause that ends a burst.
  private static let lull = Duration(milliseconds: 40)
  /// How often the clock is asked whether what lies within what is held passes its end in time.
  private static let look = Duration(milliseconds: 250)

  /// Settles a place when time is up, unless what waits lies within what is held, and passes its end in time.
  mutating func settleInTime(at now: MonotonicTime) -> Stitch? {
    guard let deadline, now >= deadline else { return nil }
    guard isJoining, waits(at: now) else { return settle() }
    self.deadline = now + Self.look
    return nil
  }

  private func waits(at now: MonotonicTime) -> Bool {
    if comesAgain { return stitcher.isInside }
    return stitcher.verdict(expecting: 0) == .inside(isProven: true)
      && clock.passesEnd(after: stitcher.remainingCount, ahead: writer.ahead, at: now)
  }

  /// Publishes what waits by the best that is known. Where the connection is over, what lies within what is held is
  /// left to the next connection, unless it may be new and nothing is left to be heard meanwhile.
  mutating func settle(isOver: Bool = false) -> Stitch? {
    guard isJoining, clock.count > 0 else {
      endJoining()
      return nil
    }
    let expected = clock.expectedCount
    switch stitcher.verdict(expecting: expected) {
    case .overlap(let count, isProven: true) where !clock.isDoubtful(count): return publish(count, isProven: true)
    case .overlap(let count, _): return publish(unproven: count)
    case .inside where isOver && (comesAgain || writer.ahead > .zero):
      writer.unstage()
      endJoining()
      return nil
    case .inside(isProven: true): return publishRepetition()
    case .inside, .none: return publish(unproven: clock.wasThrottled ? 0 : min(clock.count, expected))
    }
  }

  /// What waits begins before the end of what is held and would not pass it in time: its station began anew. What was
  /// held before is no longer compared with, since only what the station sends now goes on.
  private mutating func publishRepetition() -> Stitch {
    let count = clock.count
    let stitch = publish(0, isProven: false)
    stitcher.forget(allBut: count)
    return stitch
  }

  /// Drops what is not proven to be held only while something else is heard, and only as far as the burst reaches back.
  private mutating func publish(unproven count: Int) -> Stitch {
    let mayDrop = writer.ahead > .zero && clock.reachesBack(over: count)
    return publish(mayDrop ? count : 0, isProven: false, missing: clock.missing)
  }

  private mutating func publish(_ found: Int, isProven: Bool, missing: Double = 0) -> Stitch {
    assert(found <= clock.count, "no more is dropped than waits")
    let dropped = max(found, passed.count)
    let start = writer.time
    let overlap =
      passed.length + writer.publishStaged(dropping: dropped - passed.count, followsGap: !isProven)
    marksNext = !isProven && dropped == clock.count
    stitcher.holdFresh(dropping: dropped)
    hasTaken = true
    release(dropped, sounding: overlap, from: start)
    clock.publish()
    endJoining()
    return Stitch(
      overlap: overlap, lost: isProven ? .zero : StreamTime(seconds: missing), isExact: isProven,
      isEstimated: !isProven)
  }

  /// Titles of the overlap were told before, but perhaps for the last of them; the others move to their packets' time.
  private mutating func release(_ dropped: Int, sounding overlap: StreamTime, from start: StreamTime) {
    let firstAfter = titles.firstIndex { $0.packet > dropped } ?? titles.count
    released = titles.enumerated().compactMap { index, entry in
      guard index >= firstAfter - 1 else { return nil }
      return ReleasedTitle(
        title: entry.title, at: start + max(.zero, entry.length - overlap), isRepeated: entry.packet < dropped)
    }
  }

  private mutating func endJoining() {
    (isJoining, isConfirming) = (false, false)
    deadline = nil
    passed = (0, .zero)
    clock.end()
    titles = []
  }
}
