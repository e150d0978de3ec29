import System
import Units

extension ListenAddress {
  /// Parses a list separated by commas or blanks; may be empty.
  public static func list(_ text: String) throws(ControlError) -> [ListenAddress] {
    var addresses: [ListenAddress] = []
    for part in parts(of: text) {
      guard let address = ListenAddress(part) else { throw .badAddress(part) }
      addresses.append(address)
    }
    return addresses
  }

  func open(among others: [ListenAddress]) throws(ControlError) -> (descriptor: Int32, port: UInt16) {
    do throws(ListenError) { return try listen(among: others) } catch {
      switch error {
      case .badAddress: throw .badAddress(description)
      case .refused(let code): throw .refused(description, errno: code)
      }
    }
  }

  /// Returns the client's address group, the unit for limits per address (`getpeername(2)`, `AddressGroup`).
  static func peer(of descriptor: Int32) -> String {
    AddressGroup.name(of: SocketAddress.peer(of: descriptor).bytes, beside: AddressGroup.own)
  }
}
