import Units

/// `[web]`: the web panel (W3).
public struct WebSettings: Equatable, Sendable {
  /// True if the panel is on. Without the key `enabled`, the panel is on if `listen` has an address.
  public var isEnabled = false
  /// The addresses to listen on. If empty, the socket unit's port is used: 80, or 443 with encryption.
  public var listen: [ListenAddress] = []
  /// The certificate file, or the name of a service credential; empty for no encryption.
  public var certificate = ""
  /// The file of the certificate's key, or the name of a service credential; empty for no encryption.
  public var key = ""
  /// True if the panel shows the radio but changes nothing.
  public var isReadOnly = false
  /// The file with the hash of the owner's password, or the name of a service credential; empty to use a code.
  public var passwordFile = ""

  /// Creates the settings of a panel that is off.
  public init() {}

  /// True if sign-in needs a random code that the radio creates.
  public var needsCode: Bool { isEnabled && passwordFile.isEmpty }

  /// Returns the web address of the panel. `host`: the machine's name in the local network.
  public func address(of host: String) -> String {
    (isEncrypted ? "https://" : "") + host + (port == usualPort ? "" : ":\(port)")
  }

  /// The first address for other machines, otherwise the first of all; nil without an address.
  public var mainAddress: ListenAddress? { listen.first { !$0.isLoopback } ?? listen.first }

  /// The panel's port. If `listen` is empty, the socket unit's port: 80, or 443 with encryption.
  public var port: UInt16 { mainAddress?.port ?? usualPort }

  /// True if the panel is encrypted.
  public var isEncrypted: Bool { !certificate.isEmpty }

  private var usualPort: UInt16 { isEncrypted ? 443 : 80 }

  mutating func read(_ table: TableReader) {
    // A service without root rights may not use the ports below 1024.
    listen = table.addresses("listen", fromPort: 1_024, such: "0.0.0.0:8080") ?? listen
    isEnabled = table.flag("enabled") ?? !listen.isEmpty
    certificate = table.path("certificate", .secretOrNone) ?? certificate
    key = table.path("key", .secretOrNone) ?? key
    isReadOnly = table.flag("read_only") ?? isReadOnly
    passwordFile = table.path("password_file", .secretOrNone) ?? passwordFile
    table.close()
    if certificate.isEmpty != key.isEmpty {
      table.complain(
        at: ["certificate", "key"], "certificate and key belong together; name both, or write \"\" for both")
    }
  }
}
