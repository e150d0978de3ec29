import Units

/// `[mqtt]`: the MQTT broker that connects the radio to Home Assistant (M2).
public struct MqttSettings: Equatable, Sendable {
  /// The broker's host and port; nil for no connection to Home Assistant.
  public var server: ServerAddress?
  /// The file with `NAME:PASSWORD` in its first line, or the name of a service credential; empty for no user.
  public var userFile = ""
  /// The topic prefix under which Home Assistant discovers devices.
  public var discoveryPrefix = "homeassistant"
  /// The radio's name in Home Assistant; empty for the machine's name.
  public var deviceName = ""
  /// True if the connection is encrypted.
  public var usesTls = false
  /// The file of CA certificates for the broker; empty to use the system's certificates.
  public var caFile = ""

  /// The error text if the user's file has no `NAME:PASSWORD`.
  public static let withoutUser = "its first line is not NAME:PASSWORD"

  /// Creates settings without a broker.
  public init() {}

  /// The broker's port. The default is 1883, or 8883 with TLS.
  public var port: UInt16 { server?.port ?? (usesTls ? 8_883 : 1_883) }

  /// Returns name and password for the broker; nil without a file. Throws if the file has no `NAME:PASSWORD`.
  public func user() throws(SettingsError) -> (name: String, password: String)? {
    guard !userFile.isEmpty else { return nil }
    let text = try SmallFile.secret(userFile)
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
      throw SettingsError(userFile, Self.withoutUser)
    }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  mutating func read(_ table: TableReader) {
    if let text = table.text("server", .server("homeassistant.local:1883"), hasFallback: true) {
      server = ServerAddress(text)
    }
    userFile = table.path("user_file", .secretOrNone) ?? userFile
    discoveryPrefix = table.text("discovery_prefix", .topic, hasFallback: true) ?? discoveryPrefix
    deviceName = table.text("device_name", .lineOrNone(most: 64), hasFallback: true) ?? deviceName
    usesTls = table.flag("tls") ?? usesTls
    caFile = table.path("ca_file", .pathOrNone) ?? caFile
    table.close()
    if !caFile.isEmpty, !usesTls {
      table.complain(at: ["ca_file"], "ca_file has no effect without tls; write tls = true, or ca_file = \"\"")
    }
  }
}

extension TextRule {
  fileprivate static var topic: TextRule {
    TextRule("a topic of letters, digits, - and _, with / between its levels") { topic in
      topic.utf8.count <= 64
        && topic.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
          isName(String($0))
        }
    }
  }

  fileprivate static var pathOrNone: TextRule {
    TextRule("a path that begins with / or ~/, or \"\"") { $0.isEmpty || path.accepts($0) }
  }
}
