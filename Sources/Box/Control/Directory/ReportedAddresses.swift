/// Hashes of directory addresses that clients received. These addresses must not lead into the owner's networks.
/// Control thread only.
final class ReportedAddresses {
  /// Maximum addresses of a generation; two generations are stored. The directory has about 40,000 stations.
  static let generationSize = 65_536
  private var (numbers, older): (Set<Int>, Set<Int>) = ([], [])

  func insert(_ address: String) {
    if numbers.count >= Self.generationSize { (numbers, older) = ([], numbers) }
    numbers.insert(address.hashValue)
  }

  func has(_ address: String) -> Bool { numbers.contains(address.hashValue) || older.contains(address.hashValue) }
}
