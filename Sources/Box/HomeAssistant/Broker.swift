import Network

/// A broker, and how it is reached.
struct Broker: Sendable {
  let host: String
  let port: UInt16
  let user: Credentials?
  let usesTls: Bool
  let caFile: String
  let discoveryPrefix: String

  /// A broker at a host and a port; `caFile` holds the certificates that its own is checked by, empty: the system's.
  init(
    host: String, port: UInt16, user: Credentials? = nil, usesTls: Bool = false, caFile: String = "",
    discoveryPrefix: String = "homeassistant"
  ) {
    (self.host, self.port, self.user) = (host, port, user)
    (self.usesTls, self.caFile, self.discoveryPrefix) = (usesTls, caFile, discoveryPrefix)
  }

  /// What it goes by, such as "broker:1883".
  var name: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
