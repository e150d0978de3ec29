/// The directory addresses sent to clients, as hashes: they must not lead into the owner's networks. Control thread
/// only.
final class ToldAddresses {
  /// Size of a generation: the directory has about 40,000 stations. The last generation and the one before are
  /// remembered.
  static let most = 65_536
  private var (numbers, older): (Set<Int>, Set<Int>) = ([], [])

  func note(_ address: String) {
    if numbers.count >= Self.most { (numbers, older) = ([], numbers) }
    numbers.insert(address.hashValue)
  }

  /// True if a client has received the address since the start of the radio.
  func has(_ address: String) -> Bool { numbers.contains(address.hashValue) || older.contains(address.hashValue) }
}
