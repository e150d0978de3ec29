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
