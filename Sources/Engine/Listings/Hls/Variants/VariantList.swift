/// A master playlist (RFC 8216, 4.3.4): variants of one programme.
public struct VariantList: Hashable, Sendable {
  /// Maximum number of variants, and of renditions; later entries are omitted.
  static let limit = 200

  var variants: [Variant] = []
  var renditions: [AudioRendition] = []
  /// The requested start, unless a variant's playlist requests another; nil if absent.
  var start: PlaylistStart?
}
