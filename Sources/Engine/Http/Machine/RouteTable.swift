import Glibc
import System

/// Reads the kernel's routes (proc(5)).
public enum RouteTable {
  private static let maxByteCount = 1 << 20

  /// Returns true if this machine has a default route. Also true if the tables cannot be read.
  public static func hasDefault() -> Bool {
    let tables = ["/proc/net/route", "/proc/net/ipv6_route"].map { try? WholeFile.read($0, limit: maxByteCount) }
    guard let route4 = tables[0] else { return true }
    // A kernel without IPv6 has no second table.
    return hasDefault(String(decoding: route4, as: UTF8.self), String(decoding: tables[1] ?? [], as: UTF8.self))
  }

  /// Returns true if the text of /proc/net/route or /proc/net/ipv6_route has a default route (RFC 1812, 5.2.4.3: a
  /// prefix of no bits).
  public static func hasDefault(_ route4: String, _ route6: String) -> Bool {
    let isUp = 0x1
    let isReject = 0x200
    let has4 = route4.split(whereSeparator: \.isNewline).dropFirst().contains { line in
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count >= 8, let flags = Int(fields[3], radix: 16) else { return false }
      return fields[1] == "00000000" && fields[7] == "00000000" && flags & (isUp | isReject) == isUp
    }
    let has6 = route6.split(whereSeparator: \.isNewline).contains { line in
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count >= 10, let flags = Int(fields[8], radix: 16) else { return false }
      return fields[0].allSatisfy { $0 == "0" } && fields[1] == "00" && flags & (isUp | isReject) == isUp
        && fields[9] != "lo"
    }
    return has4 || has6
  }
}
