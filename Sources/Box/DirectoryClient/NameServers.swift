import CResolv

/// The name servers of resolv.conf(5).
public enum NameServers {
  /// Returns true if the first name server denies the root of all names, as a server without a connection does
  /// (RFC 1034, 3.1). Blocks for a second at most.
  public static func denyAllNames() -> Bool { bk_root_is_denied() }

  /// Returns the sentence for a host that the servers do not know, if they deny all names. Blocks for a second at most.
  public static func sentence(unknown host: String) -> String? {
    guard denyAllNames() else { return nil }
    return "This machine is probably offline: the name servers know no name, such as \(host); check the router's "
      + "connection."
  }
}
