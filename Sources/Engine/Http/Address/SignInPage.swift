/// Recognises the page of a network that wants its user to sign in, such as that of a hotel. Any text that leads to a
/// web page may contain these words; the result only decides about the words of a fault.
package enum SignInPage {
  private static let pathWords = [
    "login", "logon", "signin", "sign-in", "captive", "hotspot", "portal", "splash", "guest",
  ]
  private static let pageWords = [
    "wispaccessgatewayparam", "captive", "hotspot", "login", "log in", "sign in", "signin", "password", "guest network",
  ]
  private static let maxPageByteCount = 16_384

  /// Returns true if an address is named like such a page.
  package static func matches(_ address: WebAddress) -> Bool {
    let text = (address.host + address.path).lowercased()
    return pathWords.contains { text.contains($0) }
  }

  /// Returns true if the first 16 KiB of a web page contain words of such a page.
  package static func matches(page bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(maxPageByteCount), as: UTF8.self).lowercased()
    return pageWords.contains { text.contains($0) }
  }
}
