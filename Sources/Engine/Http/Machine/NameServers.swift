import CResolv

/// The name servers of resolv.conf(5).
public enum NameServers {
  /// Returns true if the first name server denies the root of all names, as a server without a connection does
  /// (RFC 1034, 3.1). Blocks for a second at most.
  public static func denyAllNames() -> Bool { bk_root_is_denied() }
}
