/// Reads what comes on a radio's topics. Whoever reaches the broker can send anything: what is no order is ignored.
struct OrderReader {
  /// What is meant by a message.
  enum Meaning: Equatable {
    /// The radio is to do something.
    case order(HomeOrder)
    /// Home Assistant has started, and is to be told all.
    case birth
  }

  /// What a button sends.
  static let press = "PRESS"
  /// The longest text that is read, in bytes.
  static let longest = 1_024

  private let topics: MqttTopics

  init(_ topics: MqttTopics) { self.topics = topics }

  /// What a message means; nil for nothing. An order that the broker kept is old, and none.
  func meaning(of topic: String, _ payload: [UInt8], isRetained: Bool) -> Meaning? {
    guard payload.count <= Self.longest, let text = String(validating: payload, as: UTF8.self) else { return nil }
    if topic == topics.birth { return text == "online" ? .birth : nil }
    guard !isRetained, let word = topics.word(of: topic) else { return nil }
    return order(word, text).map { .order($0) }
  }

  private func order(_ word: Substring, _ text: String) -> HomeOrder? {
    switch word {
    case "play" where text == Self.press: .play
    case "pause" where text == Self.press: .pause
    case "next" where text == Self.press: .next
    case "keep" where text == Self.press: .keep
    case "volume": Self.percent(text).map { .volume($0) }
    case "station" where !text.isEmpty: .station(text)
    default: nil
    }
  }

  /// 0 to 100, with or without a fraction, as Home Assistant writes a number.
  private static func percent(_ text: String) -> Int? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      (1...17).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard areDigits, parts[0].utf8.count <= 3, let number = Double(text), number <= 100 else { return nil }
    return Int(number.rounded())
  }
}
