import Units

/// An advertisement that a station announces (B4).
public struct AdBreak: Hashable, Sendable {
  /// The form of the announcement.
  public enum Kind: String, Sendable {
    /// ICY: an ad before the programme (`insertionType='preroll'`).
    case preroll
    /// ICY: an ad within the programme.
    case midroll
    /// Fields of an automation system (`song_spot`), or a text such as "Advertisement".
    case spot
    /// HLS: `EXT-X-CUE-OUT`, or `EXT-X-DATERANGE` with an interstitial or a splice.
    case cue
  }

  /// The form of the announcement.
  public var kind: Kind
  /// The announced length; nil if unknown.
  public var length: StreamTime?

  /// Creates an announcement. A length of zero or less, or of more than an hour, is unknown.
  public init(_ kind: Kind, length: StreamTime? = nil) {
    self.kind = kind
    self.length = length.flatMap { $0 > .zero && $0 <= Self.maxLength ? $0 : nil }
  }

  private static let maxLength = StreamTime(seconds: 3_600)

  /// False if only a mark or the announced length ends the ad, since its spots may have titles.
  var endsWithTitle: Bool { kind != .cue }
}
