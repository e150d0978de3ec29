import Units

/// Decides when a live station needs a lower bit rate, and when the better source is tried again (F6). A value; the
/// caller passes the time.
///
/// A pause of the data is not low bandwidth: only times with data show the speed of the line.
struct BandwidthRule {
  private struct Part {
    var time = Duration.zero
    var audio = StreamTime.zero
  }

  /// Received audio of the last `window`, the newest part at the end.
  private var parts: [Part] = []
  private var last: (moment: MonotonicTime, delivered: StreamTime)?
  /// The last times at which the buffer ran empty.
  private var emptyTimes: [MonotonicTime] = []
  private var isEmpty = false
  /// Time of the next try of the better source; nil while the best source plays.
  private(set) var nextReturn: MonotonicTime?

  /// Time with data from which the speed is measured.
  static let window = Duration(seconds: 10)
  /// Minimum time with data before the speed is known.
  static let minTime = Duration(seconds: 2)
  /// Maximum time between two packets of a steady line.
  static let maxPause = Duration(milliseconds: 1_000)
  /// Number of empty buffers within `emptyInterval` after which a fast line needs a lower bit rate too.
  static let maxEmptyCount = 3
  static let emptyInterval = Duration(seconds: 300)
  /// Time with the lower bit rate before the better source is tried.
  static let returnInterval = Duration(seconds: 600)
  /// Minimum speed of a sufficient line.
  private static let minSpeed = 0.97
  private static let partTime = Duration(milliseconds: 250)

  // MARK: Data

  /// Records the audio that a connection has delivered so far; nil while no data is expected.
  mutating func record(_ delivered: StreamTime?, at now: MonotonicTime) {
    guard let delivered else { return last = nil }
    guard let last, delivered >= last.delivered else {
      // Another connection.
      if last != nil { parts = [] }
      return self.last = (now, delivered)
    }
    guard delivered > last.delivered else { return }
    if now - last.moment <= Self.maxPause {
      append(Part(time: now - last.moment, audio: delivered - last.delivered))
    }
    self.last = (now, delivered)
  }

  private mutating func append(_ part: Part) {
    if let end = parts.last, end.time < Self.partTime {
      parts[parts.count - 1] = Part(time: end.time + part.time, audio: end.audio + part.audio)
    } else {
      parts.append(part)
    }
    while let first = parts.first, total.time - first.time >= Self.window { parts.removeFirst() }
  }

  private var total: Part {
    parts.reduce(into: Part()) {
      $0.time = $0.time + $1.time
      $0.audio += $1.audio
    }
  }

  /// Speed of the line in multiples of the bit rate; nil if unknown.
  var speed: Double? {
    let total = total
    return total.time < Self.minTime ? nil : total.audio.seconds / total.time.seconds
  }

  // MARK: Decisions

  /// Records the state of the buffer. Returns true if the buffer ran empty and a lower bit rate is needed.
  /// `isConnected`: false during a reconnect, because then the outage emptied the buffer.
  mutating func recordBuffer(isEmpty: Bool, isConnected: Bool, at now: MonotonicTime) -> Bool {
    defer { self.isEmpty = isEmpty }
    guard isEmpty, !self.isEmpty, isConnected else { return false }
    emptyTimes = emptyTimes.suffix(Self.maxEmptyCount - 1).filter { now - $0 < Self.emptyInterval } + [now]
    return speed.map { $0 < Self.minSpeed } ?? false || emptyTimes.count == Self.maxEmptyCount
  }

  /// Records a change to a lower bit rate.
  mutating func recordChange(at now: MonotonicTime) {
    restart()
    postponeReturn(at: now)
  }

  /// Records a failed try of the better source.
  mutating func postponeReturn(at now: MonotonicTime) { nextReturn = now + Self.returnInterval }

  /// Records that the better source plays again.
  mutating func recordReturn() {
    restart()
    nextReturn = nil
  }

  private mutating func restart() { (parts, last, emptyTimes) = ([], nil, []) }
}
