import Units

/// A segment of a media playlist (RFC 8216, 3).
///
/// A list may have 8,192 of them, so what most segments lack, or share with the one before, lies elsewhere.
public struct MediaSegment: Hashable, Sendable {
  /// An absolute or relative URL, cleaned as a `ListEntry.reference` is and not resolved; variables are in their place.
  public internal(set) var address: String
  /// Its Media Sequence Number (RFC 8216, 4.3.3.2), at most 2⁶³ and the segments of the list.
  public internal(set) var sequence: UInt64
  /// Its Discontinuity Sequence Number (RFC 8216, 4.3.3.3): segments of one number are cut from one encoding.
  public internal(set) var discontinuity: UInt64
  /// How long it sounds, 0 … 3,600 s; 0 where untold.
  public let duration: StreamTime
  /// `date`, or the least number.
  private var told: Int64
  /// What else the list says of it.
  var details: SegmentDetails?
  /// Whether a discontinuity was told between it and the segment before it.
  public internal(set) var isDiscontinuous: Bool

  /// A segment of which that is known.
  init(
    address: String, sequence: UInt64, discontinuity: UInt64, isDiscontinuous: Bool, duration: StreamTime, date: Int64?,
    details: SegmentDetails?
  ) {
    (self.address, self.sequence, self.discontinuity) = (address, sequence, discontinuity)
    (self.isDiscontinuous, self.duration, self.details) = (isDiscontinuous, duration, details)
    told = date ?? .min
  }

  /// When its first sample was on the air, in nanoseconds since 1970 (UTC), as told or summed from another segment's;
  /// nil where no segment tells.
  public internal(set) var date: Int64? {
    get { told == .min ? nil : told }
    set { told = newValue ?? .min }
  }

  /// What sounds in it; at most 4,096 bytes, never empty, not yet fit for a display.
  public var title: String? { details?.fields.title }
  /// Who is heard in it, where the list says so apart from the title; as the title is.
  public var artist: String? { details?.fields.artist }
  /// The part of the address that it is; nil: all of it.
  public var range: SegmentRange? { details?.fields.range }
  /// Whether there is nothing to be fetched (EXT-X-GAP).
  public var isGap: Bool { details?.fields.isGap == true }
  /// The header that it needs; nil where it needs none.
  public var map: SegmentMap? { details?.fields.map }
  /// How it is encrypted; nil where it is not.
  public var key: SegmentKey? { details?.fields.key }

  /// Its title, without control characters and without the secrets of an address; nil where it has none.
  public var shownTitle: String? { ListedTitle.shown(title, of: address) }
  /// The same of who is heard.
  public var shownArtist: String? { ListedTitle.shown(artist, of: address) }
}
