import Units

/// `[web]`: the web panel (W3).
public struct WebSettings: Equatable, Sendable {
  /// Whether it is served; where the settings do not say so, it is where they name an address.
  public var isEnabled = false
  /// Where it is served; nil: at the port of its socket unit, 80.
  public var listen: ListenAddress?
  /// The file of a certificate, or the name of a credential of its service; empty: nothing is encrypted.
  public var certificate = ""
  /// The same of the certificate's key.
  public var key = ""
  /// Whether it shows the radio and changes nothing.
  public var isReadOnly = false
  /// The file with the hash of the owner's password, or the name of a credential of its service; empty: the radio draws
  /// a code.
  public var passwordFile = ""

  /// It is off.
  public init() {}

  /// Whether one signs in by a code that the radio draws.
  public var needsCode: Bool { isEnabled && passwordFile.isEmpty }

  /// The address of its first page, as a person types it, on a machine of a name in the local network.
  public func address(of host: String) -> String {
    let port = listen.map { $0.port == usualPort ? "" : ":\($0.port)" } ?? ""
    return (isEncrypted ? "https://" : "") + host + port
  }

  /// The port at which it is served; the socket unit of an encrypted one has the usual port.
  public var port: UInt16 { listen?.port ?? usualPort }

  /// Whether it is encrypted.
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
  /// What a service without rights may listen on.
  fileprivate static var unprivileged: TextRule {
    TextRule("an address with a port from 1024 on, such as \"0.0.0.0:8080\", or \"\"") {
      $0.isEmpty || ListenAddress($0).map { $0.port >= 1_024 } == true
    }
  }
}
