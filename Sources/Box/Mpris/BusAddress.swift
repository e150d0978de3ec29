import Glibc
import System

/// The addresses of a bus (D-Bus specification, "Server Addresses"): only Unix sockets, because a name lookup would
/// block.
public struct BusAddress: Equatable, Sendable {
  /// The sockets in the order of the address; "@" starts a name outside the file system.
  public let sockets: [String]

  /// Reads the address of a bus from the environment of the process. Nil without a Unix socket.
  public init?(_ bus: MprisBus) {
    let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
    switch bus {
    case .session: self.init(environment: environment)
    case .system:
      let text = environment("DBUS_SYSTEM_BUS_ADDRESS") ?? ""
      self.init(text.isEmpty ? Self.systemBus : text)
    }
  }

  private static let systemBus = "unix:path=/run/dbus/system_bus_socket;unix:path=/var/run/dbus/system_bus_socket"

  /// Reads the session bus from `DBUS_SESSION_BUS_ADDRESS`, or uses `bus` in `XDG_RUNTIME_DIR`. Nil without a Unix
  /// socket.
  init?(environment: (String) -> String?) {
    if let text = environment("DBUS_SESSION_BUS_ADDRESS"), !text.isEmpty {
      self.init(text)
    } else if let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") {
      self.init(sockets: [folder + "/bus"])
    } else {
      return nil
    }
  }

  /// Reads a list such as `unix:path=PATH;unix:abstract=NAME`. Nil without a Unix socket.
  init?(_ text: String) {
    let sockets = text.split(separator: ";").prefix(8).compactMap { Self.socket($0) }
    if sockets.isEmpty { return nil }
    self.init(sockets: sockets)
  }

  private init(sockets: [String]) { self.sockets = sockets }

  private static func socket(_ address: Substring) -> String? {
    guard address.hasPrefix("unix:") else { return nil }
    for pair in address.dropFirst(5).split(separator: ",") {
      if pair.hasPrefix("path=/") { return unescaped(pair.dropFirst(5)) }
      if pair.hasPrefix("abstract=") { return unescaped(pair.dropFirst(9)).map { "@" + $0 } }
    }
    return nil
  }

  /// Decodes `%2F`; nil if malformed, or with a zero.
  private static func unescaped(_ text: Substring) -> String? {
    var (bytes, rest) = ([UInt8](), text.utf8)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16), value != 0 else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Connects to the first reachable socket (connect(2)) without waiting; nil if no bus is there.
  public func connect() -> Descriptor? {
    for socket in sockets {
      guard let address = UnixAddress(socket, allowsAbstract: true) else { continue }
      let descriptor = Descriptor(UnixAddress.socket(SOCK_STREAM, waits: false))
      if descriptor.isOpen, address.with({ Glibc.connect(descriptor.raw, $0, $1) }) == 0 { return descriptor }
    }
    return nil
  }
}
