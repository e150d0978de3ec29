import System
import Units

extension ListenAddress {
  /// Reads a list, with commas or blanks between; an empty one has none.
  public static func list(_ text: String) throws(ControlError) -> [ListenAddress] {
    var addresses: [ListenAddress] = []
    for part in text.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init) {
      guard let address = ListenAddress(part) else { throw .badAddress(part) }
      addresses.append(address)
    }
    return addresses
  }

  /// A socket that listens here, and its port.
  func open() throws(ControlError) -> (descriptor: Int32, port: UInt16) {
    do throws(ListenError) { return try listen() } catch {
      switch error {
      case .badAddress: throw .badAddress(description)
      case .refused(let code): throw .refused(description, errno: code)
      }
    }
  }

  /// Where a connection comes from (`getpeername(2)`), as clients are counted (`AddressGroup`).
  static func peer(of descriptor: Int32) -> String {
    AddressGroup.name(of: SocketAddress.peer(of: descriptor).bytes, beside: AddressGroup.own)
  }
}
