import Framing
import Units

/// A segment of a media playlist (RFC 8216, 3).
///
/// Rare or shared fields are stored in `details`, because a list may have 8,192 segments.
public struct MediaSegment: Hashable, Sendable {
  /// An absolute or relative URL, cleaned like `ListEntry.reference`, with variables substituted; not resolved.
  public internal(set) var address: String
  /// The Media Sequence Number (RFC 8216, 4.3.3.2), at most 2⁶³ plus the number of segments.
  public internal(set) var sequence: UInt64
  /// The Discontinuity Sequence Number (RFC 8216, 4.3.3.3). Segments with the same number come from one encoding.
  public internal(set) var discontinuity: UInt64
  /// The duration, 0 … 3,600 s; 0 if unknown.
  public let duration: StreamTime
  /// `date`; `Int64.min` means nil.
  private var told: Int64
  var details: SegmentDetails?
  /// True if a discontinuity separates the segment from the previous segment.
  public internal(set) var isDiscontinuous: Bool

  init(
    address: String, sequence: UInt64, discontinuity: UInt64, isDiscontinuous: Bool, duration: StreamTime, date: Int64?,
    details: SegmentDetails?
  ) {
    (self.address, self.sequence, self.discontinuity) = (address, sequence, discontinuity)
    (self.isDiscontinuous, self.duration, self.details) = (isDiscontinuous, duration, details)
    told = date ?? .min
  }

  /// The broadcast time of the first sample, in nanoseconds since 1970 (UTC), as written or computed from another
  /// segment; nil if no segment has a date.
  public internal(set) var date: Int64? {
    get { told == .min ? nil : told }
    set { told = newValue ?? .min }
  }

  /// The title, 1 … 4,096 bytes; not yet cleaned for display.
  public var title: String? { details?.fields.title }
  /// The artist, if listed apart from the title; 1 … 4,096 bytes, not yet cleaned for display.
  public var artist: String? { details?.fields.artist }
  /// The bytes to request from the address; nil for the whole resource.
  public var range: SegmentRange? { details?.fields.range }
  /// True if the segment has no data to fetch (EXT-X-GAP).
  public var isGap: Bool { details?.fields.isGap == true }
  /// The initialization section (EXT-X-MAP); nil if absent, or if its address is unusable.
  public var map: SegmentMap? { details?.fields.map }
  /// The encryption; nil if unencrypted.
  public var key: SegmentKey? { details?.fields.key }

  /// A mark of an ad at the segment's start; nil without one.
  public internal(set) var ad: AdMark? {
    get { details?.fields.ad }
    set {
      var fields = details?.fields ?? SegmentDetails.Fields()
      fields.ad = newValue
      details = SegmentDetails(fields)
    }
  }

  /// The title, without control characters and without secrets from an address; nil if absent or secret.
  public var shownTitle: String? { ListedTitle.shown(title, of: address) }
  /// The artist, cleaned like `shownTitle`.
  public var shownArtist: String? { ListedTitle.shown(artist, of: address) }
}
