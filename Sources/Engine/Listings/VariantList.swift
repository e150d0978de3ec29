/// A master playlist (RFC 8216, 4.3.4): the same programme in several forms.
public struct VariantList: Hashable, Sendable {
  /// The most variants, and the most renditions; those after them are left out.
  static let limit = 200

  /// The forms in the list's order.
  var variants: [Variant] = []
  /// The sound apart from the picture, in the list's order.
  var renditions: [AudioRendition] = []
  /// Where all of them ask to be played from, unless they say so themselves; nil where the list does not say.
  var start: PlaylistStart?

  /// What is to be played of it, on a line that carries `maxBitRate` bits a second; nil: on any line.
  public func choice(maxBitRate: Int? = nil) -> VariantChoice { VariantChoice(self, maxBitRate: maxBitRate) }
}
