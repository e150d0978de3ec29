import CCrypto
import Framing
import Glibc
import System

/// The radio as one Home Assistant device. The id is constant for a machine.
public struct DeviceIdentity: Equatable, Sendable {
  /// The first twelve hexadecimal digits of a hash.
  let id: String
  let name: String
  let model: String
  let version: String

  /// Creates a device. `machine`: the machine's id (machine-id(5)), which is hashed. `name`: the name in Home
  /// Assistant; "Bakelite" if empty. `model`: the board.
  public init(machine: String, name: String, model: String, version: String) {
    id = Self.hash("bakelite:" + machine)
    let own = DisplayText.clean(name, characterLimit: 64)
    self.name = own.isEmpty ? "Bakelite" : own
    (self.model, self.version) = (DisplayText.clean(model, characterLimit: 64), version)
  }

  private static func hash(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var (digest, count) = ([UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE)), UInt32(0))
    let isDone = EVP_Digest(bytes, bytes.count, &digest, &count, EVP_sha256(), nil) == 1
    precondition(isDone && count == 32, "OpenSSL has SHA-256")
    return digest.prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension DeviceIdentity {
  /// Returns this machine's device. Without a machine-id, the machine's name identifies the device. `name`: the owner's
  /// name for the radio; empty to use the machine's name.
  public static func own(name: String, model: String, version: String) -> DeviceIdentity {
    let host = MachineName.own.text
    return DeviceIdentity(machine: machineID ?? host, name: name.isEmpty ? host : name, model: model, version: version)
  }

  /// The 32 digits in /etc/machine-id; nil if the file is missing or has other content.
  private static var machineID: String? {
    guard let file = fopen("/etc/machine-id", "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let digits = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
    let isWhole = digits.count == 32 && digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    return isWhole ? String(decoding: digits, as: UTF8.self) : nil
  }
}
