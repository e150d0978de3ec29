/// The addresses of the directory that clients were told, as numbers: they lead into no network of the owner's. The
/// control thread's.
final class ToldAddresses {
  /// The directory has about 40,000. The last so many are remembered, and up to as many before them.
  static let most = 65_536
  private var (numbers, older): (Set<Int>, Set<Int>) = ([], [])

  /// A client is told an address.
  func note(_ address: String) {
    if numbers.count >= Self.most { (numbers, older) = ([], numbers) }
    numbers.insert(address.hashValue)
  }

  /// Whether a client was told an address since the radio was started.
  func has(_ address: String) -> Bool { numbers.contains(address.hashValue) || older.contains(address.hashValue) }
}
