import Units

/// A media playlist (RFC 8216, 4.3.3): segments that follow one another.
public struct SegmentList: Hashable, Sendable {
  /// The most segments that are kept, the newest.
  public static let segmentLimit = 8_192
  /// What the addresses and titles of the segments that are kept may take, in bytes of UTF-8, the newest first; what
  /// one segment has from the one before it counts once.
  public static let textLimit = 1 << 20

  /// What the list says about itself as a whole.
  public enum Form: Hashable, Sendable {
    /// Nothing changes any more (EXT-X-PLAYLIST-TYPE:VOD).
    case complete
    /// Segments are added, and none is taken away (EVENT).
    case growing
  }

  /// Where the target duration comes from.
  enum TargetOrigin: Hashable, Sendable {
    /// The list tells it.
    case told
    /// The list tells one that lies beyond 1 … 3,600 s; it is clamped.
    case clamped
    /// The list tells none, or 0: it is the longest segment's duration in whole seconds, rounded up, or 10 s.
    case estimated
  }

  /// The version of the format; 1 where untold.
  public internal(set) var version = 1
  /// No segment is longer, roughly; 1 … 3,600 s.
  public internal(set) var targetDuration = StreamTime.zero
  /// Whether the target duration is what the list tells.
  var targetOrigin = TargetOrigin.estimated
  /// The Media Sequence Number of the list's first segment, kept or not: 0 … 2⁶³; 0 where untold.
  public internal(set) var sequence: UInt64 = 0
  /// The Discontinuity Sequence Number at the list's begin: 0 … 2⁶³; 0 where untold.
  public internal(set) var discontinuitySequence: UInt64 = 0
  /// Whether nothing follows (EXT-X-ENDLIST).
  public internal(set) var isEnded = false
  /// What it says about itself; nil: segments may come and go.
  public internal(set) var form: Form?
  /// Where it asks to be played from; nil where it does not.
  public internal(set) var start: PlaylistStart?
  /// How far behind its end it asks to be played at least, 0 … 3,600 s (HOLD-BACK); nil where it does not.
  public internal(set) var holdBack: StreamTime?
  /// The segments in their order; none is no error, since a station may only be about to begin. Where one is missing,
  /// the sequence number goes up by more than 1.
  public internal(set) var segments: [MediaSegment] = []
  /// How many segments of the list are not in `segments`: older than the newest, or without an address or a byte range
  /// that can be requested.
  public internal(set) var missingCount = 0
}
