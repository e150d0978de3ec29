/// Hashes of directory addresses sent to clients, which must not lead into the owner's networks. Control thread only.
final class ToldAddresses {
  /// Size of a generation; two generations are remembered. The directory has about 40,000 stations.
  static let most = 65_536
  private var (numbers, older): (Set<Int>, Set<Int>) = ([], [])

  func note(_ address: String) {
    if numbers.count >= Self.most { (numbers, older) = ([], numbers) }
    numbers.insert(address.hashValue)
  }

  func has(_ address: String) -> Bool { numbers.contains(address.hashValue) || older.contains(address.hashValue) }
}
