enum MessageCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand("channels", .read, "lists the channels with subscribers") { call in
        for channel in call.context.clients.channels { call.answer.add("channel", channel) }
      },
      ControlCommand("subscribe", "CHANNEL", 1...1, .read, "subscribes to a channel") { call throws(ControlRefusal) in
        try call.client.mailbox.subscribe(try channel(call.arguments[0]))
        call.context.clients.notify([.subscription])
      },
      ControlCommand("unsubscribe", "CHANNEL", 1...1, .read, "ends a subscription") { call throws(ControlRefusal) in
        try call.client.mailbox.unsubscribe(call.arguments[0])
        call.context.clients.notify([.subscription])
      },
      ControlCommand("readmessages", .read, "lists received messages") { call in
        for message in call.client.mailbox.removeAll() {
          call.answer.add(["channel": message.channel, "message": message.text])
        }
      },
      ControlCommand("sendmessage", "CHANNEL TEXT", 2...2, .control, "sends a message to a channel's subscribers") {
        call throws(ControlRefusal) in
        let message = ClientMailbox.Message(channel: try channel(call.arguments[0]), text: call.arguments[1])
        guard call.context.clients.send(message) else {
          throw ControlRefusal(.notFound, "nobody is subscribed to this channel")
        }
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
