import Framing
import Units

/// Recognises the pre-roll of a connection (B4): by its packets, which an earlier connection had too, or by a mark with
/// its length. A value; net thread only.
struct PrerollDetector {
  /// Decision about a packet.
  enum Step: Equatable {
    /// The packet is of the programme, as far as known.
    case programme
    /// The packet may be of a pre-roll: it waits while the buffer plays.
    case wait
    /// The packet is of a pre-roll.
    case drop
    /// The first packet after a pre-roll.
    case resume
  }

  private enum Mark: Equatable {
    case none
    /// The pre-roll ends at this time; nil if a title or a mark ends it.
    case until(StreamTime?)
    /// The programme starts with the next packet.
    case over
  }

  private var openings = ConnectionOpenings()
  private var mark = Mark.none
  /// Duration of the packets since the start of the connection, or since its last pre-roll.
  private var length = StreamTime.zero
  /// True if no pre-roll of the connection has ended.
  private var isFirst = false
  /// True if the station has sent a pre-roll.
  private(set) var isKnown = false

  /// Maximum time between the announced end of an ad and the mark of the next ad.
  private static let maxEarly = StreamTime(seconds: 2)

  /// Forgets the station.
  mutating func reset() {
    openings.removeAll()
    end()
    (length, isKnown) = (.zero, false)
  }

  /// Starts a connection.
  mutating func begin() {
    openings.begin()
    (mark, length, isFirst) = (.none, .zero, true)
  }

  /// Ends the comparison with earlier connections: the next packets are of another connection.
  mutating func end() {
    openings.end()
    (mark, isFirst) = (.none, false)
  }

  /// True if further packets of the connection are compared or recorded.
  var isOpen: Bool { openings.isOpen || mark != .none || isFirst && isKnown }

  /// True if the connection repeats the start of an earlier one.
  var isRepeating: Bool { openings.isRepeating }

  /// Processes a packet of the connection.
  mutating func offer(_ packet: PacketPrint, lasting duration: StreamTime) -> Step {
    let relation = openings.offer(packet)
    let start = length
    length += duration
    switch relation {
    case .different: return resume(with: duration)
    case .repeated(isKnown: true): return .drop
    case .repeated(isKnown: false) where mark == .none: return .wait
    case .repeated, .other: break
    }
    switch mark {
    case .none: return isFirst && isKnown ? .wait : .programme
    case .over: return resume(with: duration)
    case .until(nil): return .drop
    // The announced length is rounded.
    case .until(let end?):
      return start + StreamTime(ticks: duration.ticks / 2) >= end ? resume(with: duration) : .drop
    }
  }

  private mutating func resume(with duration: StreamTime) -> Step {
    end()
    (length, isKnown) = (duration, true)
    return .resume
  }

  /// Processes a title or a mark that precedes the next packet. `isJoining`: false if the packets are played anyway.
  mutating func accept(_ title: StationTitle, isJoining: Bool) {
    switch title.ad {
    case .begin(let ad) where ad.kind == .preroll:
      isKnown = true
      if isJoining { begin(ad) }
    case .begin: break
    case .end: if mark != .none { mark = .over }
    case nil: if mark == .until(nil), !title.text.isEmpty { mark = .over }
    }
  }

  /// A mark counts from the start of the connection, or from the end of the ad before: the first mark follows the first
  /// bytes of the ad.
  private mutating func begin(_ ad: AdBreak) {
    switch mark {
    case .none, .over: mark = .until(ad.length)
    case .until(let end?) where length + Self.maxEarly >= end: mark = .until(ad.length.map { end + $0 })
    case .until: break
    }
  }
}
