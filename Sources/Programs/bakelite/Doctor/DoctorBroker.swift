import Glibc
import HomeAssistant
import Network
import Settings
import System

/// Checks the Home Assistant broker, from its name to the permission for commands.
struct DoctorBroker {
  private var settings: MqttSettings
  private let file: String
  /// True if the box is a room, which Home Assistant does not know.
  private let isRoom: Bool
  private let clock: Clock
  private let isOffline: Bool

  private static let subject = "mqtt"

  init(_ configuration: Configuration, file: String, _ clock: Clock, isOffline: Bool = false) {
    self.isOffline = isOffline
    (settings, isRoom) = (configuration.mqtt, configuration.audio.output == .room)
    (self.file, self.clock) = (file, clock)
  }

  /// Visits the broker, which takes some seconds. Nil if [mqtt] has neither a server nor a user file.
  var finding: DoctorFinding? {
    guard settings.server != nil else {
      guard !settings.userFile.isEmpty else { return nil }
      return .ok(Self.subject, "No broker is configured: [mqtt] server is empty, so user_file has no effect.")
    }
    guard !isRoom else {
      return .problem(
        Self.subject, "[mqtt] has no effect with output = \"room\": Home Assistant controls the radio, not its rooms.",
        mend: "write server = \"\" below [mqtt] in \(file), and configure the broker on the radio's box")
    }
    var found = self
    if let finding = found.findCredential() { return finding }
    do throws(SettingsError) {
      guard let broker = try Broker(found.settings) else { return nil }
      if !found.settings.userFile.isEmpty, let secret = DoctorFiles.secret(Self.subject, found.settings.userFile) {
        return secret
      }
      if isOffline, let host = settings.server?.host, !DoctorNetwork.isThisMachine(host) {
        return .offline(Self.subject)
      }
      return finding(of: broker)
    } catch {
      let hint = "write the path of an existing file to [mqtt] user_file in \(file)"
      guard error.problem != MqttSettings.withoutUser else {
        let editing =
          OwnFiles.command("nano", changing: error.file) + " \(error.file.shellWord)"
          + "   # write NAME:PASSWORD into its first line"
        return .problem(Self.subject, error.description, mend: editing)
      }
      return DoctorFiles.finding(Self.subject, error, ifAbsent: hint, ifFolder: hint)
    }
  }

  /// Replaces a credential's name with its file, because only the service receives credentials. Returns a finding on
  /// failure.
  private mutating func findCredential() -> DoctorFinding? {
    let name = settings.userFile
    guard !name.isEmpty, !name.contains("/") else { return nil }
    let path = "/etc/credstore/\(name)"
    if access(path, R_OK) == 0 {
      settings.userFile = path
      return nil
    }
    if errno == EACCES {
      return .skipped(Self.subject, "Only root can read the credential \(name), which the radio uses to sign in.")
    }
    return .problem(
      Self.subject, "[mqtt] user_file is the credential \(name), which is not in /etc/credstore.",
      mend: "sudo install -D -m 600 /dev/stdin \(path.shellWord)   # type NAME:PASSWORD, Enter, Ctrl-D")
  }

  private func finding(of broker: Broker) -> DoctorFinding {
    do throws(BrokerFault) {
      let identity = DeviceIdentity.own(name: settings.deviceName, model: "", version: "")
      guard try BrokerCheck.run(broker, identity, clock) else {
        return .problem(
          Self.subject,
          "The broker \(broker.name) accepts the radio, but does not allow it the commands of Home Assistant.",
          mend: "allow the user \"topic readwrite bakelite/#\" in the broker's acl_file")
      }
      return .ok(Self.subject, "The broker \(broker.name) accepts the radio.")
    } catch {
      let words = error.words(about: broker.name)
      return .problem(Self.subject, words.prefix(1).uppercased() + words.dropFirst() + ".", mend: mend(error))
    }
  }

  private func mend(_ fault: BrokerFault) -> String {
    let server = "[mqtt] server in \(file)"
    switch fault {
    case .noNameServer: return "cat /etc/resolv.conf   # or write an IP address to \(server)"
    case .noSuchHost: return "correct the broker's host name or address: \(server)"
    case .notOwnNetwork: return "encrypt the connection: tls = true below [mqtt] in \(file)"
    case .unreachable, .noAnswer, .closed, .silent, .garbage, .library:
      return "on the broker's machine: systemctl status mosquitto; it needs \"listener \(settings.port)\"   # \(server)"
    case .noTls: return "configure a certificate at the broker's port, or write tls = false below [mqtt] in \(file)"
    case .unusableCertificates: return "ls -l \(settings.caFile.shellWord)   # [mqtt] ca_file in \(file)"
    case .badCertificate:
      return "write the name from the broker's certificate to [mqtt] server, and its CA's certificate to ca_file, in "
        + file
    case .userRefused:
      let place = settings.userFile.isEmpty ? "a file, and its path to [mqtt] user_file in \(file)" : settings.userFile
      return "write NAME:PASSWORD of a broker's user to \(place); mosquitto_passwd creates users"
    case .refused: return "journalctl -u mosquitto   # on the broker's machine: shows the reason of the refusal"
    }
  }
}
