struct MqttTopics: Equatable, Sendable {
  /// The prefix of Home Assistant's discovery topics.
  private let prefix: String
  /// The prefix of the radio's own topics, such as "bakelite/1f0c…".
  private let base: String
  private let node: String

  init(_ identity: DeviceIdentity, prefix: String) {
    self.prefix = prefix
    (base, node) = ("bakelite/\(identity.id)", "bakelite_\(identity.id)")
  }

  var state: String { base + "/state" }
  /// The topic for "online" and "offline". The radio publishes both; the broker publishes "offline" as the radio's
  /// will.
  var availability: String { base + "/availability" }
  var birth: String { prefix + "/status" }
  var orders: String { base + "/set/+" }

  func order(_ word: String) -> String { "\(base)/set/\(word)" }

  func word(of topic: String) -> Substring? {
    let start = base + "/set/"
    return topic.hasPrefix(start) ? topic.dropFirst(start.count) : nil
  }

  func discovery(_ component: String, _ object: String) -> String { "\(prefix)/\(component)/\(node)/\(object)/config" }

  func uniqueID(_ object: String) -> String { "\(node)_\(object)" }
}
