/// Resolves the references of one list. A short reference becomes an address as long as the list's own, so what all of
/// them may take is bounded again.
struct ListResolver {
  private let base: WebAddress
  /// Bytes that further addresses may take.
  private var left: Int

  /// A list at `base` whose addresses may take so many bytes in all.
  init(_ base: WebAddress, limit: Int) { (self.base, left) = (base, limit) }

  /// Where a reference leads; nil where it is none, and where the addresses would become too long in all.
  mutating func resolve(_ reference: String) -> WebAddress? {
    guard left > 0 else { return nil }
    let address = try? base.resolve(reference)
    // One that is none has cost as much.
    left -= (address ?? base).url.byteCount
    return left >= 0 ? address : nil
  }
}
