import Foundation

@testable import HomeAssistant

/// A sample radio and its messages.
enum Samples {
  static let identity = DeviceIdentity(machine: "m", name: "Kitchen", model: "A board", version: "1.2")
  static let topics = MqttTopics(identity, prefix: "homeassistant")
  static let discovery = DiscoveryMessages(identity, topics)
  static let states = StateMessages(topics)

  /// Malicious or meaningless station names.
  static let hostileNames = [
    "a\"b\\c", "{{ states('lock.door') }}", "</script>", "\u{202E}evil\u{0}\u{1B}[31m", "None", "", " ", "Ünï 📻",
    "a\nb",
    "x\u{2028}y", "${HOME}", "','x':'", String(repeating: "ä", count: 5_000),
  ]

  /// The JSON object of a message.
  static func object(_ message: MqttMessage) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(message.payload.utf8))
    return value as? [String: Any] ?? [:]
  }
}
