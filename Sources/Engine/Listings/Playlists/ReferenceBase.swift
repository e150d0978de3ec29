/// The base of references in an element (`xml:base`), resolved at its first use.
final class ReferenceBase {
  private let written: String
  private let above: ReferenceBase?
  private var known: Reference?
  private var isKnown = false

  /// Creates the base of an element whose parent has the base `above`; nil if `written` is nil or too long.
  init?(_ written: String?, above: ReferenceBase?) {
    // A longer reference is invalid and need not be stored.
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

/// Limits the bytes resolved per document, because a long base lengthens each of many short references.
struct ResolvingBudget {
  /// The remaining bytes of bases and references.
  private var left: Int

  init(byteCount: Int) { left = byteCount }

  var isSpent: Bool { left < 0 }

  /// Resolves an element's reference; nil if the result is too long or the limit is reached.
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
