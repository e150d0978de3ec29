import Units

/// What the clock says about a new connection's packets while they are staged: how many of them the listener already
/// has, how far the server's burst reaches back, and whether the burst will soon pass the end of what is held.
///
/// The net thread's; each moment is given by the caller.
struct JoinClock {
  /// When the last packet before the new connection came.
  private var lastHeld = MonotonicTime.zero
  /// Seconds by which that packet came late because the server had been made to wait.
  private var lag = 0.0
  /// Whether the server sent faster than real time and was slowed down, so that the clock cannot tell what is missing.
  var wasThrottled = false

  /// Packets that are staged.
  private(set) var count = 0
  /// How long they sound.
  private(set) var length = StreamTime.zero
  private var first = MonotonicTime.zero
  private var last = MonotonicTime.zero
  /// Half a second before what was held when the first packet came has been heard.
  private var limit = MonotonicTime.zero
  /// How much was staged lately: the pace is measured from the older mark, 0.5 s ago or longer.
  private var marks = (older: Mark(), newer: Mark())
  /// Whether this connection was made to wait since its first packet, so that its pace is ours and not the server's.
  private var wasHeldUp = false

  /// How much was staged at a moment.
  private struct Mark {
    var time = MonotonicTime.zero
    var length = StreamTime.zero
  }

  /// A relay that comes back, or a station that stood still, may be late by so many seconds. What comes again later
  /// than that was sent twice, as a jingle is, or by a station that began anew.
  private static let mostDelay = 10.0
  /// A server that sends so many times faster than real time is still sending its burst.
  private static let burstPace = 1.5
  /// So many seconds a burst gets on its way even where nothing is held: nothing sounds before a second of it is there.
  private static let grace = 1.0

  // MARK: What is held

  /// A packet came that is held at once.
  mutating func hold(at now: MonotonicTime) { lastHeld = now }

  /// The connection ended, so many seconds behind since it had been made to wait.
  mutating func leave(lag: Double) { self.lag = lag }

  /// What was staged is held now.
  mutating func publish() {
    lastHeld = last
    (wasThrottled, lag) = (false, 0)
  }

  /// Nothing is held any more.
  mutating func forget() { (wasThrottled, lag) = (false, 0) }

  // MARK: What is staged

  /// Nothing is staged any more.
  mutating func end() {
    count = 0
    length = .zero
  }

  /// The first packet comes while `ahead` is held and unheard.
  mutating func begin(ahead: StreamTime, at now: MonotonicTime) {
    (first, last, wasHeldUp) = (now, now, false)
    limit = now + Duration(seconds: max(0, ahead.seconds - 0.5))
    marks = (Mark(time: now), Mark(time: now))
  }

  /// A packet was staged.
  mutating func add(_ duration: StreamTime, at now: MonotonicTime) {
    count += 1
    length += duration
    last = now
    guard (now - marks.newer.time).seconds >= 0.5 else { return }
    marks = (marks.newer, Mark(time: now, length: length))
  }

  /// The server is made to wait.
  mutating func holdUp() { wasHeldUp = true }

  // MARK: What it says

  /// Seconds of what is staged that were sent before: it ends now, and what is held ended when its last packet was due.
  private var expectedOverlap: Double { length.seconds - (last - lastHeld).seconds - lag }

  /// The same in packets.
  var expectedCount: Int { Int(Double(count) * max(0, expectedOverlap) / max(0.001, length.seconds)) }

  /// Seconds that are missing between what is held and what is staged.
  var missing: Double { wasThrottled ? 0 : max(0, -expectedOverlap) }

  /// How long the first of the staged packets sound.
  private func seconds(_ packets: Int) -> Double { length.seconds * Double(packets) / Double(max(1, count)) }

  /// Whether an overlap is so much longer than the clock allows that the same packets may have been sent twice.
  func isDoubtful(_ overlap: Int) -> Bool { !wasThrottled && seconds(overlap) - expectedOverlap > Self.mostDelay }

  /// Whether the server's burst reaches back over so many of the first packets: a burst is what came beyond real time.
  func reachesBack(over packets: Int) -> Bool { seconds(packets) <= length.seconds - (last - first).seconds + 0.05 }

  /// How many times faster than real time packets come.
  private func pace(at now: MonotonicTime) -> Double {
    (length - marks.older.length).seconds / max(0.001, (now - marks.older.time).seconds)
  }

  /// Whether packets that all lie within what is held will pass its end in time, with so many still to come and `ahead`
  /// unheard.
  ///
  /// A burst passes it at the burst's pace; a relay that came back late passes it in real time. A station that began
  /// anew with the same content would pass it too late: what it sends is new.
  func passesEnd(after packets: Int, ahead: StreamTime, at now: MonotonicTime) -> Bool {
    let rest = seconds(packets)
    let pace = max(1, pace(at: now))
    let isLate = rest + (now - lastHeld).seconds + lag > Self.mostDelay
    if isLate, pace < Self.burstPace, !wasHeldUp { return false }
    let held = min(limit, now + Duration(seconds: ahead.seconds - 0.5))
    let end = max(held, first + Duration(seconds: Self.grace))
    return now + Duration(seconds: rest / pace) <= end
  }
}
