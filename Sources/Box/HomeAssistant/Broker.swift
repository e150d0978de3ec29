import Network
import Settings

/// A broker, and how it is reached.
public struct Broker: Sendable {
  let host: String
  let port: UInt16
  let user: Credentials?
  let usesTls: Bool
  /// The file of the certificates that its own is checked by; empty: the system's.
  let caFile: String
  let discoveryPrefix: String

  /// The broker that settings name, with the user out of the file that they name; nil where they name none.
  ///
  /// - Throws: `SettingsError` where that file cannot be read.
  public init?(_ settings: MqttSettings) throws(SettingsError) {
    guard let server = settings.server else { return nil }
    (host, port) = (server.host, settings.port)
    user = try settings.user().map { Credentials(name: $0.name, password: $0.password) }
    (usesTls, caFile, discoveryPrefix) = (settings.usesTls, settings.caFile, settings.discoveryPrefix)
  }

  /// One that is told part by part.
  init(host: String, port: UInt16, user: Credentials? = nil, caFile: String? = nil) {
    (self.host, self.port, self.user) = (host, port, user)
    (usesTls, self.caFile, discoveryPrefix) = (caFile != nil, caFile ?? "", MqttSettings().discoveryPrefix)
  }

  /// What it goes by, such as "broker:1883".
  public var name: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
