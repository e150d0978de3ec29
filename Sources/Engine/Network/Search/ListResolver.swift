import Http

/// Resolves the references of one list within a total size, since a short reference can become a long address.
struct ListResolver {
  private let base: WebAddress
  private var left: Int

  /// `limit`: maximum total size of the addresses, in bytes.
  init(_ base: WebAddress, limit: Int) { (self.base, left) = (base, limit) }

  mutating func resolve(_ reference: String) -> WebAddress? { record(try? base.resolve(reference)) }

  /// Resolves a reference with options for other players (`AddressOptions`).
  mutating func resolve(_ reference: String, options: String) -> WebAddress? {
    guard left > 0 else { return nil }
    return record(try? base.resolve(written: reference, more: options))
  }

  private mutating func record(_ address: WebAddress?) -> WebAddress? {
    guard left > 0 else { return nil }
    // An invalid reference counts too, because resolving it took as much work.
    left -= (address ?? base).url.byteCount
    return left >= 0 ? address : nil
  }
}
