import CMosquitto
import System

/// The fault that prevents the connection between radio and broker.
public enum BrokerFault: Error, Hashable, Sendable {
  case noNameServer
  case noSuchHost
  /// The broker is outside the owner's networks, and the connection would not be encrypted.
  case notOwnNetwork
  /// The connection failed; the value is an errno(3).
  case unreachable(Int32)
  /// The connection timed out.
  case noAnswer
  case unusableCertificates
  /// The broker's certificate is invalid; the value is OpenSSL's X509_V_ERR_….
  case badCertificate(Int)
  /// The TLS handshake failed.
  case noTls
  case userRefused
  /// The broker refused the radio; the value is the CONNACK code (MQTT 3.1.1, 3.2.2.3).
  case refused(Int32)
  case closed
  case silent
  /// The broker sends data that is not MQTT 3.1.1, or more data than allowed.
  case garbage
  /// libmosquitto failed; the value is MOSQ_ERR_….
  case library(Int32)
}

extension BrokerFault {
  /// True if a retry cannot help until the broker or the settings change.
  public var isRefusal: Bool {
    switch self {
    case .notOwnNetwork, .unusableCertificates, .badCertificate, .userRefused, .refused: true
    case .noNameServer, .noSuchHost, .unreachable, .noAnswer, .noTls, .closed, .silent, .garbage, .library: false
    }
  }

  /// Returns the fault as a clause without a full stop. `broker`: the broker's name, such as "broker:1883".
  public func words(about broker: String) -> String {
    switch self {
    case .noNameServer: "no name server answered for \(broker)"
    case .noSuchHost: "the name servers do not know \(broker)"
    case .notOwnNetwork: "\(broker) is not in your own network, and the connection would not be encrypted"
    case .unreachable(let code): "no connection to \(broker) (\(errnoText(code)))"
    case .noAnswer: "\(broker) does not answer"
    case .unusableCertificates: "the certificates that \(broker) is to be checked by cannot be read"
    case .badCertificate(let code):
      "the certificate of \(broker) is not accepted (\(String(cString: X509_verify_cert_error_string(code))))"
    case .noTls: "no encrypted connection to \(broker) can be made"
    case .userRefused: "\(broker) does not accept the user or the password"
    case .refused(let code): "\(broker) does not accept the radio (code \(code))"
    case .closed: "\(broker) closed the connection"
    case .silent: "\(broker) no longer answers"
    case .garbage: "\(broker) sends what is no MQTT, or too much of it"
    case .library(let code): "libmosquitto cannot talk to \(broker) (\(String(cString: mosquitto_strerror(code))))"
    }
  }
}
