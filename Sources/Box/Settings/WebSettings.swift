import Units

/// `[web]`: the web panel (W3).
public struct WebSettings: Equatable, Sendable {
  /// True if the panel is on. The default is true if the settings name an address.
  public var isEnabled = false
  /// The address to serve; nil for port 80 of the socket unit.
  public var listen: ListenAddress?
  /// The certificate file, or the name of a credential of the service; empty for no encryption.
  public var certificate = ""
  /// The file of the certificate's key, or the name of a credential; empty for none.
  public var key = ""
  /// True if the panel shows the radio but changes nothing.
  public var isReadOnly = false
  /// The file with the hash of the owner's password, or the name of a credential of the service; empty to use a code.
  public var passwordFile = ""

  /// Creates the settings of a panel that is off.
  public init() {}

  /// True if sign-in needs a code that the radio draws.
  public var needsCode: Bool { isEnabled && passwordFile.isEmpty }

  /// Returns the address of the first page on a machine with this name in the local network.
  public func address(of host: String) -> String {
    let port = listen.map { $0.port == usualPort ? "" : ":\($0.port)" } ?? ""
    return (isEncrypted ? "https://" : "") + host + port
  }

  /// The port; the socket unit of an encrypted panel has port 443.
  public var port: UInt16 { listen?.port ?? usualPort }

  /// True if the panel is encrypted.
  public var isEncrypted: Bool { !certificate.isEmpty }

  private var usualPort: UInt16 { isEncrypted ? 443 : 80 }

  mutating func read(_ table: TableReader) {
    if let text = table.text("listen", .unprivileged) { listen = ListenAddress(text) }
    isEnabled = table.flag("enabled") ?? (listen != nil)
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

extension TextRule {
  /// An address that a service without rights may listen on.
  fileprivate static var unprivileged: TextRule {
    TextRule("an address with a port from 1024 on, such as \"0.0.0.0:8080\", or \"\"") {
      $0.isEmpty || ListenAddress($0).map { $0.port >= 1_024 } == true
    }
  }
}
