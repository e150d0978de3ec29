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
  /// Returns this list with the numbers of an earlier copy, if neither has EXT-X-MEDIA-SEQUENCE.
  ///
  /// A list that slides without numbers is matched by its addresses: the end of `older` with the start of this list.
  /// Without a match, its segments follow those of `older`.
  public func numbered(after older: SegmentList) -> SegmentList {
    guard !isNumbered, !older.isNumbered, let first = segments.first, let last = older.segments.last else {
      return self
    }
    let start = older.overlap(with: self).map { older.segments[$0].sequence } ?? last.sequence + 1
    let shift = start &- first.sequence
    guard shift > 0, start >= first.sequence else { return self }
    var list = self
    list.sequence &+= shift
    for index in list.segments.indices { list.segments[index].sequence &+= shift }
    return list
  }

  /// Returns the first index from which on all segments equal the start of `newer`; nil without a match.
  ///
  /// Compares most places by one address only, since a place whose first addresses agree is usually the match.
  private func overlap(with newer: SegmentList) -> Int? {
    var work = Self.maxComparisons
    for index in segments.indices where segments[index].isSame(as: newer.segments[0]) {
      let pairs = zip(segments[index...], newer.segments)
      work -= min(segments.count - index, newer.segments.count)
      guard work > 0 else { return nil }
      if pairs.allSatisfy({ $0.isSame(as: $1) }) { return index }
    }
    return nil
  }

  /// Limit for lists that repeat one address.
  private static let maxComparisons = 8 * segmentLimit
}

extension MediaSegment {
  fileprivate func isSame(as other: MediaSegment) -> Bool { address == other.address && range == other.range }
}
