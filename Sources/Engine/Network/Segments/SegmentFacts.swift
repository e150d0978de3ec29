import Framing
import Units

/// Facts that only HLS stations have.
public struct SegmentFacts: Equatable, Sendable {
  /// A variant of the programme, from the station's list of variants.
  public struct Variant: Equatable, Sendable {
    /// Bits per second; nil if unknown.
    public var bitRate: Int?
    /// Codecs as written in the list (RFC 6381); nil if unknown.
    public var codecs: String?

    /// A short description, such as "320 kbit/s mp4a.40.2".
    public var text: String {
      let words = [bitRate.map { "\(($0 + 500) / 1_000) kbit/s" }, codecs].compactMap { $0 }
      return words.isEmpty ? "not described" : words.joined(separator: " ")
    }
  }

  /// Approximate maximum duration of a segment.
  public var targetDuration: StreamTime
  /// Total duration of the segments in the first list.
  public var window: StreamTime
  /// Variants in the order of tries, at most 16; empty for a station with one form.
  public var variants: [Variant] = []
  /// Index of the variant that plays.
  public var chosen: Int?

  static let maxVariants = 16

  /// The variant that plays; nil for a station with one form.
  public var variant: Variant? { chosen.flatMap { variants.indices.contains($0) ? variants[$0] : nil } }
}
