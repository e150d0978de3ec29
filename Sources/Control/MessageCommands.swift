/// What clients tell one another, through channels.
enum MessageCommands {
  /// So many channels may a client hear, and so many messages wait for it.
  private static let mostChannels = 16
  private static let mostMessages = 64

  static var rows: [ControlCommand] {
    [
      ControlCommand("channels", .read, "tells the channels that somebody hears") { call in
        for channel in Set(call.commands.sessions.flatMap(\.channels)).sorted() { call.answer.add("channel", channel) }
      },
      ControlCommand("subscribe", "CHANNEL", 1...1, .read, "hears a channel") { call throws(ControlRefusal) in
        let name = try channel(call.arguments[0])
        guard !call.session.channels.contains(name) else {
          throw ControlRefusal(.exists, "already subscribed to this channel")
        }
        guard call.session.channels.count < mostChannels else {
          throw ControlRefusal(.exists, "subscription list is full")
        }
        call.session.channels.append(name)
        call.commands.note([.subscription])
      },
      ControlCommand("unsubscribe", "CHANNEL", 1...1, .read, "hears it no more") { call throws(ControlRefusal) in
        guard let place = call.session.channels.firstIndex(of: call.arguments[0]) else {
          throw ControlRefusal(.notFound, "not subscribed to this channel")
        }
        call.session.channels.remove(at: place)
        call.commands.note([.subscription])
      },
      ControlCommand("readmessages", .read, "tells what came") { call in
        for message in call.session.messages {
          call.answer.add("channel", message.channel)
          call.answer.add("message", message.text)
        }
        call.session.messages = []
      },
      ControlCommand("sendmessage", "CHANNEL TEXT", 2...2, .control, "tells all who hear a channel") {
        call throws(ControlRefusal) in
        let name = try channel(call.arguments[0])
        var isHeard = false
        for session in call.commands.sessions
        where session.channels.contains(name) && session.messages.count < mostMessages {
          session.messages.append((name, call.arguments[1]))
          session.note([.message])
          isHeard = true
        }
        guard isHeard else { throw ControlRefusal(.notFound, "nobody is subscribed to this channel") }
      },
    ]
  }

  private static func channel(_ name: String) throws(ControlRefusal) -> String {
    let isName = name.utf8.allSatisfy { byte in
      switch Unicode.Scalar(byte) {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", ":": true
      default: false
      }
    }
    guard isName, !name.isEmpty, name.utf8.count <= 128 else {
      throw ControlRefusal(.argument, "invalid channel name")
    }
    return name
  }
}
