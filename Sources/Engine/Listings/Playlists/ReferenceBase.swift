/// The base of references in an element (`xml:base`), resolved at its first use.
final class ReferenceBase {
  private let written: String
  private let above: ReferenceBase?
  private var known: Reference?
  private var isKnown = false

  /// Creates the base of an element whose parent has the base `above`; nil if `written` is nil or too long.
  init?(_ written: String?, above: ReferenceBase?) {
    // A longer reference is invalid and need not be stored.
    guard let written, written.utf8.count <= 2 * PlaylistLimits.maxLineLength else { return nil }
    (self.written, self.above) = (written, above)
  }

  func reference(_ budget: inout ResolvingBudget) -> Reference? {
    if isKnown { return known }
    isKnown = true
    let outer = above?.reference(&budget)
    known = Reference(written[...]).flatMap { budget.resolve($0, against: outer) } ?? outer
    return known
  }
}

extension ResolvingBudget {
  /// Resolves an element's reference; nil if the result is too long or the limit is reached.
  mutating func resolve(_ reference: Reference, against base: ReferenceBase?) -> Reference? {
    resolve(reference, against: base?.reference(&self))
  }
}
