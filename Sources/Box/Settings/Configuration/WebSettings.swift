import Units

/// `[web]`: the web panel (W3).
public struct WebSettings: Equatable, Sendable {
  /// True if the panel is on. Without the key `enabled`, the panel is on if `listen` has an address.
  public var isEnabled = false
  /// The address to listen on; nil to use the socket unit's port, which is 80, or 443 with encryption.
  public var listen: ListenAddress?
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
    let port = listen.map { $0.port == usualPort ? "" : ":\($0.port)" } ?? ""
    return (isEncrypted ? "https://" : "") + host + port
  }

  /// The panel's port. If `listen` is nil, the socket unit's port: 80, or 443 with encryption.
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
  /// An address with a port that a service without root rights may use; or empty.
  fileprivate static var unprivileged: TextRule {
    TextRule("an address with a port from 1024 on, such as \"0.0.0.0:8080\", or \"\"") {
      $0.isEmpty || ListenAddress($0).map { $0.port >= 1_024 } == true
    }
  }
}
