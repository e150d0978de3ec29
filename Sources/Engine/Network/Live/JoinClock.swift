import Units

/// Estimates from arrival times how the staged packets of a new connection overlap the buffered ones. Net thread only.
/// The caller passes the current time.
struct JoinClock {
  private var lastBuffered = MonotonicTime.zero
  /// Seconds by which the last buffered packet arrived late because its server had been paused.
  private var lag = 0.0
  /// True if the server was throttled because it sent faster than real time. Arrival times cannot show a loss then.
  var wasThrottled = false

  private(set) var count = 0
  private(set) var length = StreamTime.zero
  private var first = MonotonicTime.zero
  private var last = MonotonicTime.zero
  /// Time when half a second is left of the audio that was buffered at the first staged packet.
  private var limit = MonotonicTime.zero
  /// Duration of the connection's pre-roll so far, which may have delayed the programme.
  private var preroll = StreamTime.zero
  /// Two points of the measurement, at least 0.5 s apart. The pace is measured from the older mark on.
  private var marks = (older: Mark(), newer: Mark())
  /// True if this connection was paused since its first packet. The measured pace is then not the server's pace.
  private var wasPaused = false

  private struct Mark {
    var time = MonotonicTime.zero
    var length = StreamTime.zero
  }

  /// Maximum delay, in seconds, of a relay after its return or of a station after a stall. A longer repetition has
  /// another cause: audio sent twice, such as a jingle, or a station that restarted.
  private static let maxDelay = 10.0
  /// Minimum pace, as a multiple of real time, of a server that is still sending its burst.
  private static let burstPace = 1.5
  /// Minimum seconds for a burst to arrive, even on an empty buffer: playback starts only with 1 s of audio.
  private static let grace = 1.0

  // MARK: Buffered packets

  mutating func recordBufferedPacket(at now: MonotonicTime) { lastBuffered = now }

  /// Records the end of the connection. `lag`: seconds of delay because its server had been paused.
  mutating func endConnection(lag: Double) { self.lag = lag }

  mutating func publish() {
    lastBuffered = last
    (wasThrottled, lag) = (false, 0)
  }

  mutating func reset() { (wasThrottled, lag) = (false, 0) }

  // MARK: Staged packets

  mutating func beginConnection() { preroll = .zero }

  /// Records a packet of a pre-roll that was not staged.
  mutating func addPreroll(_ duration: StreamTime) { preroll += duration }

  /// Adds all packets so far to the pre-roll.
  mutating func passPreroll() {
    preroll += length
    end()
  }

  mutating func end() {
    count = 0
    length = .zero
  }

  mutating func begin(ahead: StreamTime, at now: MonotonicTime) {
    (first, last, wasPaused) = (now, now, false)
    limit = now + Duration(seconds: max(0, ahead.seconds - 0.5))
    marks = (Mark(time: now), Mark(time: now))
  }

  mutating func add(_ duration: StreamTime, at now: MonotonicTime) {
    count += 1
    length += duration
    last = now
    guard (now - marks.newer.time).seconds >= 0.5 else { return }
    marks = (marks.newer, Mark(time: now, length: length))
  }

  mutating func recordPause() { wasPaused = true }

  // MARK: Estimates

  /// Seconds of staged audio that were already buffered. The staged audio ends at its last packet's arrival. The
  /// buffered audio ended at its last packet's arrival, minus `lag`.
  private var expectedOverlap: Double { length.seconds - (last - lastBuffered).seconds - lag }

  /// The expected overlap, but only as far as the burst reaches back; zero if the server was throttled.
  var overlap: StreamTime {
    let packets = expectedCount
    guard !wasThrottled, reachesBack(over: packets) else { return .zero }
    return StreamTime(seconds: seconds(packets))
  }

  var expectedCount: Int { Int(Double(count) * max(0, expectedOverlap) / max(0.001, length.seconds)) }

  /// Seconds missing between the buffered and the staged packets; 0 if the server was throttled.
  var missing: Double { wasThrottled ? 0 : max(0, -expectedOverlap) }

  /// Seconds between the last buffered and the last staged packet; 0 if the server was throttled.
  var silence: Double { wasThrottled ? 0 : max(0, (last - lastBuffered).seconds + lag) }

  /// Maximum seconds by which a loss may exceed the time without data: a server's backlog for a slow listener.
  private static let maxBacklog = 60.0

  /// True if a numbered loss is plausible: a restarted station may count further than the time since.
  func allows(_ loss: StreamTime) -> Bool {
    loss.seconds <= max(0, (last - lastBuffered).seconds) + lag + Self.maxBacklog
  }

  /// Returns the seconds of `packets` staged packets.
  func seconds(_ packets: Int) -> Double { length.seconds * Double(packets) / Double(max(1, count)) }

  /// True if an overlap is more than `maxDelay` longer than expected: the same packets may have been sent twice. A
  /// pre-roll may have delayed the programme. `leading`: number of packets of the overlap that precede the programme.
  func isDoubtful(_ overlap: Int, after leading: Int) -> Bool {
    let delay = Self.maxDelay + preroll.seconds + seconds(leading)
    return !wasThrottled && seconds(overlap) - expectedOverlap > delay
  }

  /// True if the server's burst, the audio received beyond real time, covers the first `packets` staged packets.
  func reachesBack(over packets: Int) -> Bool { seconds(packets) <= length.seconds - (last - first).seconds + 0.05 }

  private func pace(at now: MonotonicTime) -> Double {
    (length - marks.older.length).seconds / max(0.001, (now - marks.older.time).seconds)
  }

  /// True if the staged packets will pass the end of the buffered packets in time. All staged packets lie within the
  /// buffered ones, and `packets` more packets are missing up to the end. `ahead`: audio not yet read.
  /// A burst reaches the end at its own pace, a late relay in real time. A station that restarted with the same content
  /// is too late, so its packets count as new.
  func passesEnd(after packets: Int, ahead: StreamTime, at now: MonotonicTime) -> Bool {
    let rest = seconds(packets)
    let pace = max(1, pace(at: now))
    let isLate = rest + (now - lastBuffered).seconds + lag > Self.maxDelay + preroll.seconds
    if isLate, pace < Self.burstPace, !wasPaused { return false }
    let held = min(limit, now + Duration(seconds: ahead.seconds - 0.5))
    let end = max(held, first + Duration(seconds: Self.grace))
    return now + Duration(seconds: rest / pace) <= end
  }
}
