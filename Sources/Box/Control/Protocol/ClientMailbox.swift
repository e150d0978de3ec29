struct ClientMailbox {
  struct Message: Equatable {
    var channel: String
    var text: String
  }

  private(set) var channels: [String] = []
  private var messages: [Message] = []

  static let maxChannels = 16
  static let maxMessages = 64

  var byteCount: Int { messages.reduce(0) { $0 + $1.text.utf8.count } }

  mutating func subscribe(_ channel: String) throws(ControlRefusal) {
    guard !channels.contains(channel) else { throw ControlRefusal(.exists, "already subscribed to this channel") }
    guard channels.count < Self.maxChannels else { throw ControlRefusal(.exists, "subscription list is full") }
    channels.append(channel)
  }

  mutating func unsubscribe(_ channel: String) throws(ControlRefusal) {
    guard let place = channels.firstIndex(of: channel) else {
      throw ControlRefusal(.notFound, "not subscribed to this channel")
    }
    channels.remove(at: place)
  }

  mutating func put(_ message: Message) -> Bool {
    guard channels.contains(message.channel), messages.count < Self.maxMessages else { return false }
    messages.append(message)
    return true
  }

  mutating func removeAll() -> [Message] {
    defer { messages = [] }
    return messages
  }
}
