import Framing
import Units

/// What an HLS station told of itself, beside what every station does.
public struct SegmentFacts: Equatable, Sendable {
  /// A form of the programme that its list of variants offers.
  public struct Variant: Equatable, Sendable {
    /// Its bits a second; nil where untold.
    public var bitRate: Int?
    /// Its codecs as the list writes them (RFC 6381); nil where untold.
    public var codecs: String?

    /// Such as "320 kbit/s mp4a.40.2".
    public var text: String {
      let words = [bitRate.map { "\(($0 + 500) / 1_000) kbit/s" }, codecs].compactMap { $0 }
      return words.isEmpty ? "not described" : words.joined(separator: " ")
    }
  }

  /// No segment is longer, roughly.
  public var targetDuration: StreamTime
  /// How long the segments of its list sound, when it came first.
  public var window: StreamTime
  /// Its variants in the order in which they are tried, at most 16; none where it has one form alone.
  public var variants: [Variant] = []
  /// Which of them is played.
  public var chosen: Int?

  /// So many variants are told.
  static let mostVariants = 16

  /// The variant that is played; nil where there is one form alone.
  public var variant: Variant? { chosen.flatMap { variants.indices.contains($0) ? variants[$0] : nil } }
}
