import Units

/// A media playlist (RFC 8216, 4.3.3): consecutive segments.
public struct SegmentList: Hashable, Sendable {
  /// Maximum number of segments; the newest segments are kept.
  public static let segmentLimit = 8_192
  /// Maximum size of addresses and titles, in bytes of UTF-8; the newest segments are kept. Text equal to the previous
  /// segment's counts once.
  public static let textLimit = 1 << 20

  /// The playlist's type.
  public enum Form: Hashable, Sendable {
    /// Complete and constant (EXT-X-PLAYLIST-TYPE:VOD).
    case complete
    /// Growing; segments are never removed (EVENT).
    case growing
  }

  enum TargetOrigin: Hashable, Sendable {
    case told
    /// The playlist's value was outside 1 … 3,600 s and is clamped.
    case clamped
    /// The playlist has no positive value: the longest segment in whole seconds, rounded up, or 10 s without segments.
    case estimated
  }

  /// The version of the format; 1 by default.
  public internal(set) var version = 1
  /// The approximate maximum duration of a segment; 1 … 3,600 s.
  public internal(set) var targetDuration = StreamTime.zero
  var targetOrigin = TargetOrigin.estimated
  /// The Media Sequence Number of the first segment, kept or not: 0 … 2⁶³; 0 by default.
  public internal(set) var sequence: UInt64 = 0
  /// True if the playlist has EXT-X-MEDIA-SEQUENCE.
  public internal(set) var isNumbered = false
  /// EXT-X-MEDIA-SEQUENCE of a list that slides although this number does not change; nil for other lists.
  var constantSequence: UInt64?
  /// The Discontinuity Sequence Number of the list's start: 0 … 2⁶³; 0 by default.
  public internal(set) var discontinuitySequence: UInt64 = 0
  /// True if no segment follows (EXT-X-ENDLIST).
  public internal(set) var isEnded = false
  /// The playlist's type; nil if segments may be added and removed.
  public internal(set) var form: Form?
  /// The requested start; nil if the playlist has no EXT-X-START.
  public internal(set) var start: PlaylistStart?
  /// Minimum distance of the playback start from the end, 0 … 3,600 s (HOLD-BACK); nil if absent.
  public internal(set) var holdBack: StreamTime?
  /// The segments in order; may be empty before a station starts. A gap in the sequence numbers marks missing segments.
  public internal(set) var segments: [MediaSegment] = []
  /// The number of segments that are not in `segments`: too old, or with an unusable address or byte range.
  public internal(set) var missingCount = 0
}

extension SegmentList {
  /// Returns this list with the numbers of an earlier copy, if neither has EXT-X-MEDIA-SEQUENCE, or if that number is
  /// the same in every list.
  ///
  /// A list that slides without numbers is matched by its addresses: the end of `older` with the start of this list.
  /// Without a match, its segments follow those of `older`.
  public func numbered(after older: SegmentList) -> SegmentList {
    guard let first = segments.first, let last = older.segments.last else { return self }
    guard isNumbered ? mayStandStill(after: older) : !older.isNumbered else { return self }
    let place = older.overlap(with: self)
    let standsStill = isNumbered && (older.constantSequence != nil || place ?? 0 > 0)
    guard standsStill || !isNumbered else { return self }
    let start = place.map { older.segments[$0].sequence } ?? last.sequence + 1
    var list = self
    if standsStill { list.constantSequence = sequence }
    let shift = start &- first.sequence
    guard shift > 0, start >= first.sequence else { return list }
    list.sequence &+= shift
    for index in list.segments.indices { list.segments[index].sequence &+= shift }
    return list
  }

  /// True if EXT-X-MEDIA-SEQUENCE is the same in both lists, but the first segment is another. After a finished list,
  /// the station starts again.
  private func mayStandStill(after older: SegmentList) -> Bool {
    guard !older.isEnded else { return false }
    guard older.constantSequence == nil else { return older.constantSequence == sequence }
    return older.isNumbered && older.sequence == sequence && segments.first?.address != older.segments.first?.address
  }

  /// Returns the first index from which on all segments equal the start of `newer`; nil without a match.
  ///
  /// Addresses without a match are compared without their queries, which may contain a new ticket in each list.
  private func overlap(with newer: SegmentList) -> Int? {
    if let index = overlap(with: newer, ignoresQueries: false) { return index }
    // A query may also contain the segment's number.
    guard newer.segments.count > 1, newer.segments[0].path != newer.segments[1].path else { return nil }
    return overlap(with: newer, ignoresQueries: true)
  }

  /// Compares most places by one address only, since a place whose first addresses agree is usually the match.
  private func overlap(with newer: SegmentList, ignoresQueries: Bool) -> Int? {
    var work = Self.maxComparisons
    for index in segments.indices where segments[index].isSame(as: newer.segments[0], ignoresQueries) {
      let pairs = zip(segments[index...], newer.segments)
      work -= min(segments.count - index, newer.segments.count)
      guard work > 0 else { return nil }
      if pairs.allSatisfy({ $0.isSame(as: $1, ignoresQueries) }) { return index }
    }
    return nil
  }

  /// Limit for lists that repeat one address.
  private static let maxComparisons = 8 * segmentLimit
}

extension MediaSegment {
  /// The address without its query.
  fileprivate var path: Substring { address[..<(address.utf8.firstIndex(of: 0x3F) ?? address.endIndex)] }

  fileprivate func isSame(as other: MediaSegment, _ ignoresQuery: Bool) -> Bool {
    range == other.range && (ignoresQuery ? path == other.path : address == other.address)
  }
}
