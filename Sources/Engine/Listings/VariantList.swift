/// A master playlist (RFC 8216, 4.3.4): variants of one programme.
public struct VariantList: Hashable, Sendable {
  /// The maximum number of variants, and of renditions; later ones are omitted.
  static let limit = 200

  var variants: [Variant] = []
  var renditions: [AudioRendition] = []
  /// The default start for all variants, if any.
  var start: PlaylistStart?

  /// Returns the entries to play, limited to `maxBitRate` in bits per second; nil for no limit.
  public func choice(maxBitRate: Int? = nil) -> VariantChoice { VariantChoice(self, maxBitRate: maxBitRate) }
}
