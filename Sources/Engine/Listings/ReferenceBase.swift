/// What references in an element are seen from (`xml:base`); what it means is worked out when one needs it.
final class ReferenceBase {
  private let written: String
  private let above: ReferenceBase?
  private var known: Reference?
  private var isKnown = false

  /// The base that an element gives in one that has the base `above`; nil where it gives none.
  init?(_ written: String?, above: ReferenceBase?) {
    // A reference that is longer is none, and need not be kept.
    guard let written, written.utf8.count <= 2 * PlaylistParser.lineLimit else { return nil }
    (self.written, self.above) = (written, above)
  }

  fileprivate func reference(_ budget: inout ResolvingBudget) -> Reference? {
    if isKnown { return known }
    isKnown = true
    let outer = above?.reference(&budget)
    known = Reference(written[...]).flatMap { budget.resolve($0, against: outer) } ?? outer
    return known
  }
}

/// How much a document may have resolved: a long base makes each of many short references long.
struct ResolvingBudget {
  /// So many bytes of bases and references.
  private var left: Int

  init(byteCount: Int) { left = byteCount }

  /// Whether no more is resolved.
  var isSpent: Bool { left < 0 }

  /// What a reference means in an element; nil where that is too long, or one too many.
  mutating func resolve(_ reference: Reference, against base: ReferenceBase?) -> Reference? {
    resolve(reference, against: base?.reference(&self))
  }

  fileprivate mutating func resolve(_ reference: Reference, against base: Reference?) -> Reference? {
    guard let base else { return reference }
    if isSpent { return nil }
    left -= base.text.utf8.count + reference.text.utf8.count
    return isSpent ? nil : reference.resolved(against: base)
  }
}
