import Http
import Settings

/// The address and credentials of a broker.
public struct Broker: Sendable {
  let host: String
  let port: UInt16
  let user: Credentials?
  let usesTls: Bool
  /// The file of CA certificates; empty to use the system's certificates.
  let caFile: String
  let discoveryPrefix: String

  /// Creates the broker of the settings; nil if they name no broker. Throws if the file with the user is not readable.
  public init?(_ settings: MqttSettings) throws(SettingsError) {
    guard let server = settings.server else { return nil }
    (host, port) = (server.host, settings.port)
    user = try settings.user().map { Credentials(name: $0.name, password: $0.password) }
    (usesTls, caFile, discoveryPrefix) = (settings.usesTls, settings.caFile, settings.discoveryPrefix)
  }

  init(host: String, port: UInt16, user: Credentials? = nil, caFile: String? = nil) {
    (self.host, self.port, self.user) = (host, port, user)
    (usesTls, self.caFile, discoveryPrefix) = (caFile != nil, caFile ?? "", MqttSettings().discoveryPrefix)
  }

  /// The name for messages, such as "broker:1883".
  public var name: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
