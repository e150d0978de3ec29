/// Limits the bytes resolved per document, because a long base lengthens each of many short references.
struct ResolvingBudget {
  /// The remaining bytes of bases and references.
  private var left: Int

  init(byteCount: Int) { left = byteCount }

  var isSpent: Bool { left < 0 }

  /// Resolves a reference; nil if the result is too long or the limit is reached.
  mutating func resolve(_ reference: Reference, against base: Reference?) -> Reference? {
    guard let base else { return reference }
    if isSpent { return nil }
    left -= base.text.utf8.count + reference.text.utf8.count
    return isSpent ? nil : reference.resolved(against: base)
  }
}
