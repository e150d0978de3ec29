import Units

/// `[mqtt]`: the MQTT broker by which Home Assistant knows the radio (M2).
public struct MqttSettings: Equatable, Sendable {
  /// The broker; nil: none.
  public var server: ServerAddress?
  /// The file whose first line is `NAME:PASSWORD`, or the name of a credential of the service; empty: none.
  public var userFile = ""
  /// The topic below which Home Assistant looks for devices.
  public var discoveryPrefix = "homeassistant"
  /// What the radio is called there; empty: as the machine is.
  public var deviceName = ""
  /// Whether the connection is encrypted.
  public var usesTls = false
  /// The file of the certificates that the broker's is checked by; empty: the system's.
  public var caFile = ""

  /// What is wrong with a file that holds neither name nor password.
  public static let withoutUser = "its first line holds no NAME:PASSWORD"

  /// No broker.
  public init() {}

  /// The broker's port: the one that is named, else that of MQTT, by TLS or without.
  public var port: UInt16 { server?.port ?? (usesTls ? 8_883 : 1_883) }

  /// Name and password for the broker; nil where no file is named.
  ///
  /// - Throws: `SettingsError` where the file cannot be read, or holds no `NAME:PASSWORD`.
  public func user() throws(SettingsError) -> (name: String, password: String)? {
    guard !userFile.isEmpty else { return nil }
    let text = try SmallFile.secret(userFile)
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
      throw SettingsError(userFile, Self.withoutUser)
    }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  mutating func read(_ table: TableReader) {
    if let text = table.text("server", .server) { server = ServerAddress(text) }
    userFile = table.path("user_file", .secretOrNone) ?? userFile
    discoveryPrefix = table.text("discovery_prefix", .topic) ?? discoveryPrefix
    deviceName = table.text("device_name", .deviceName) ?? deviceName
    usesTls = table.flag("tls") ?? usesTls
    caFile = table.path("ca_file", .pathOrNone) ?? caFile
    table.close()
    if !caFile.isEmpty, !usesTls {
      table.complain(at: ["ca_file"], "ca_file has no effect without tls; write tls = true, or ca_file = \"\"")
    }
  }
}

extension TextRule {
  fileprivate static var server: TextRule {
    TextRule("a host with or without a port, such as \"homeassistant.local:1883\", or \"\"") {
      $0.isEmpty || ServerAddress($0) != nil
    }
  }

  /// What stands before the topics of discovery: levels of word characters, none of them empty.
  fileprivate static var topic: TextRule {
    TextRule("a topic of letters, digits, - and _, with / between its levels") { topic in
      topic.utf8.count <= 64
        && topic.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
          isName(String($0))
        }
    }
  }

  fileprivate static var deviceName: TextRule {
    TextRule("a line of up to 64 bytes, or \"\"") { $0.utf8.count <= 64 && !$0.isUnshowable }
  }

  fileprivate static var pathOrNone: TextRule {
    TextRule("a path that begins with / or ~/, or \"\"") { $0.isEmpty || path.holds($0) }
  }
}
