/// The channels that a client hears, and what came through them and was not read yet. A value.
struct ClientMailbox {
  /// One message and where it came through.
  struct Message: Equatable {
    var channel: String
    var text: String
  }

  /// The channels that are heard.
  private(set) var channels: [String] = []
  private var messages: [Message] = []

  /// So many channels may a client hear, and so many messages wait for it.
  static let mostChannels = 16
  static let mostMessages = 64

  /// What the messages take up, in bytes.
  var byteCount: Int { messages.reduce(0) { $0 + $1.text.utf8.count } }

  /// Hears a channel from now on.
  mutating func subscribe(_ channel: String) throws(ControlRefusal) {
    guard !channels.contains(channel) else { throw ControlRefusal(.exists, "already subscribed to this channel") }
    guard channels.count < Self.mostChannels else { throw ControlRefusal(.exists, "subscription list is full") }
    channels.append(channel)
  }

  /// Hears a channel no more.
  mutating func unsubscribe(_ channel: String) throws(ControlRefusal) {
    guard let place = channels.firstIndex(of: channel) else {
      throw ControlRefusal(.notFound, "not subscribed to this channel")
    }
    channels.remove(at: place)
  }

  /// Takes a message; false where the channel is not heard, or too many messages wait.
  mutating func put(_ message: Message) -> Bool {
    guard channels.contains(message.channel), messages.count < Self.mostMessages else { return false }
    messages.append(message)
    return true
  }

  /// What came, in its order; it is read then.
  mutating func takeAll() -> [Message] {
    defer { messages = [] }
    return messages
  }
}
