import CMosquitto
import System

/// What keeps the radio from its broker.
public enum BrokerFault: Error, Hashable, Sendable {
  /// No name server answers.
  case noNameServer
  /// The name servers do not know the host.
  case noSuchHost
  /// It is not in this network, and the connection would not be encrypted.
  case notOwnNetwork
  /// No connection can be made, by errno(3).
  case unreachable(Int32)
  /// It takes too long to answer.
  case noAnswer
  /// The file of certificates cannot be used.
  case unusableCertificates
  /// Its certificate is not accepted, by the number of OpenSSL (X509_V_ERR_…).
  case badCertificate(Int)
  /// No encrypted connection comes about.
  case noTls
  /// It does not accept name and password, or wants some.
  case userRefused
  /// It does not accept the radio, by the number of its CONNACK (MQTT 3.1.1, 3.2.2.3).
  case refused(Int32)
  /// The connection was closed.
  case closed
  /// It no longer answers.
  case silent
  /// It sends what is no MQTT 3.1.1, or far too much of it.
  case garbage
  /// libmosquitto refuses, by its number (MOSQ_ERR_…).
  case library(Int32)
}

extension BrokerFault {
  /// Whether somebody has to change something at the broker or in the settings, since trying again does not help.
  public var isRefusal: Bool {
    switch self {
    case .notOwnNetwork, .unusableCertificates, .badCertificate, .userRefused, .refused: true
    case .noNameServer, .noSuchHost, .unreachable, .noAnswer, .noTls, .closed, .silent, .garbage, .library: false
    }
  }

  /// What is wrong, about a broker that goes by a name such as "broker:1883": a clause without its full stop.
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
