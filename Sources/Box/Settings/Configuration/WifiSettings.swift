/// The wireless network for a radio without a keyboard, from `wifi.toml` on its boot partition (N6).
public struct WifiSettings: Equatable, Sendable {
  /// The country, which decides the allowed channels: two capital letters (ISO 3166-1), or "".
  public var country = ""
  /// The network's name, up to 32 bytes; "" for no network.
  var ssid = ""
  /// The password, 8 to 63 ASCII characters, or the key as 64 hexadecimal digits; "" for an open network.
  public var password = ""
  /// True if the network does not announce its name.
  var isHidden = false

  /// Creates settings without a network.
  public init() {}

  /// Reads a file; missing keys have their defaults. Throws all faults, in order of line. Error texts do not contain
  /// the password.
  public init(path: String) throws(SettingsErrors) { try self.init(TomlDocument.bytes(of: path), file: path) }

  /// Reads the bytes of a file; `file` is its name in error messages. Throws as `init(path:)`.
  public init(_ bytes: [UInt8], file: String) throws(SettingsErrors) {
    self.init()
    try TomlDocument.read(bytes, file: file) { table, log in
      let root = TableReader(table, log)
      country = root.text("country", .country) ?? country
      ssid = root.text("ssid", .ssid) ?? ssid
      password = root.text("password", .wifiPassword) ?? password
      isHidden = root.flag("hidden") ?? isHidden
      root.close()
    }
  }

  /// The configuration for wpa_supplicant (wpa_supplicant.conf(5)): WPA2 or WPA3 with one password, or an open network.
  public var supplicantText: String {
    var lines = ["ctrl_interface=DIR=/run/wpa_supplicant", "update_config=0"]
    if !country.isEmpty { lines.append("country=\(country)") }
    guard !ssid.isEmpty else { return lines.map { $0 + "\n" }.joined() }
    // The name is written in hexadecimal, so that no character has a special meaning.
    let name = ssid.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    lines += ["network={", "  ssid=\(name)", "  scan_ssid=\(isHidden ? 1 : 0)"]
    if password.isEmpty {
      lines.append("  key_mgmt=NONE")
    } else {
      let key = TextRule.isWifiKey(password) ? password : "\"\(password)\""
      lines += ["  key_mgmt=WPA-PSK SAE", "  ieee80211w=1", "  psk=\(key)"]
    }
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }
}

extension TextRule {
  fileprivate static var country: TextRule {
    TextRule("two capital letters, such as \"DE\", or \"\"") { country in
      country.isEmpty || country.utf8.count == 2 && country.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
  }

  fileprivate static var ssid: TextRule {
    TextRule("the network's name, up to 32 bytes, or \"\"") { $0.utf8.count <= 32 && !$0.isUnshowable }
  }

  fileprivate static var wifiPassword: TextRule {
    TextRule("8 to 63 letters, digits and signs of ASCII, or \"\" for an open network") { password in
      password.isEmpty || isWifiKey(password)
        || (8...63).contains(password.utf8.count) && password.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
  }

  /// True if the password is already the key of 64 hexadecimal digits (IEEE 802.11, J.4).
  fileprivate static func isWifiKey(_ password: String) -> Bool {
    password.utf8.count == 64 && password.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}
