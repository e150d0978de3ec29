/// Parses messages on the radio's topics. Ignores invalid messages, because each user of the broker can send any
/// message.
struct OrderReader {
  enum Meaning: Equatable {
    case order(HomeOrder)
    case birth
  }

  static let press = "PRESS"
  /// Maximum length of a payload in bytes.
  static let maxLength = 1_024

  private let topics: MqttTopics

  init(_ topics: MqttTopics) { self.topics = topics }

  /// Returns the meaning of a message; nil if the message has no meaning. A retained order is old and ignored.
  func meaning(of topic: String, _ payload: [UInt8], isRetained: Bool) -> Meaning? {
    guard payload.count <= Self.maxLength, let text = String(validating: payload, as: UTF8.self) else { return nil }
    if topic == topics.birth { return text == "online" ? .birth : nil }
    guard !isRetained, let word = topics.word(of: topic) else { return nil }
    return order(word, text).map { .order($0) }
  }

  private func order(_ word: Substring, _ text: String) -> HomeOrder? {
    switch word {
    case "play" where text == Self.press: .play
    case "pause" where text == Self.press: .pause
    case "stop" where text == Self.press: .stop
    case "power" where text == "ON": .power(true)
    case "power" where text == "OFF": .power(false)
    case "next" where text == Self.press: .next
    case "keep" where text == Self.press: .keep
    case "volume": Self.number(text, max: 100).map { .volume($0) }
    case "sleep": Self.number(text, max: RadioSnapshot.maxSleepMinutes).map { .sleep($0) }
    case "station" where !text.isEmpty: .station(text)
    default: nil
    }
  }

  /// Parses a number from 0 to `max`, which Home Assistant may send with decimals. Returns the rounded number, or nil.
  private static func number(_ text: String, max: Int) -> Int? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      (1...17).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard areDigits, parts[0].utf8.count <= 4, let number = Double(text), number <= Double(max) else { return nil }
    return Int(number.rounded())
  }
}
