/// The topics of one radio at a broker.
struct MqttTopics: Equatable, Sendable {
  /// The topic below which Home Assistant looks for devices.
  private let prefix: String
  /// What all of the radio's own topics begin with, such as "bakelite/1f0c…".
  private let base: String
  private let node: String

  init(_ identity: DeviceIdentity, prefix: String) {
    self.prefix = prefix
    (base, node) = ("bakelite/\(identity.id)", "bakelite_\(identity.id)")
  }

  /// Where the radio tells what it does.
  var state: String { base + "/state" }
  /// Where it tells, or the broker for it, whether it is there.
  var availability: String { base + "/availability" }
  /// Where Home Assistant tells that it has started.
  var birth: String { prefix + "/status" }
  /// All topics on which orders come.
  var orders: String { base + "/set/+" }

  /// The topic of one kind of order.
  func order(_ word: String) -> String { "\(base)/set/\(word)" }

  /// The kind of order that a topic is for; nil for any other topic.
  func word(of topic: String) -> Substring? {
    let start = base + "/set/"
    return topic.hasPrefix(start) ? topic.dropFirst(start.count) : nil
  }

  /// Where an entity is told of.
  func discovery(_ component: String, _ object: String) -> String { "\(prefix)/\(component)/\(node)/\(object)/config" }

  /// What Home Assistant knows an entity by for ever.
  func uniqueID(_ object: String) -> String { "\(node)_\(object)" }
}
