/// The name of a zone in the tz database, such as "Europe/Berlin".
public enum ZoneName {
  /// Returns true if a name is safe as part of a path.
  public static func isValid(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && !name.hasPrefix("/") && !name.hasSuffix("/") && !name.contains("//")
      && name.utf8.allSatisfy(isAllowed)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    // A dot is refused, because ".." leads out of the folder.
    case UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "/"): true
    default: false
    }
  }
}
