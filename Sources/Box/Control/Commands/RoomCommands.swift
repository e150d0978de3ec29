import Rooms

enum RoomCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand(
        "radio_room", "[NAME [VOLUME|mute|unmute]]", 0...2, .read,
        "lists the snapserver's rooms, or one by name or number; setting a room needs player"
      ) { call throws(ControlRefusal) in
        guard let rooms = call.context.rooms else {
          throw ControlRefusal(.notFound, "There are no rooms; set output = \"snapcast\" in [audio]")
        }
        guard let name = call[0] else {
          for room in rooms.list.rooms { addRoom(room, &call.answer) }
          call.answer.add("problem", rooms.absence)
          return
        }
        let room = try rooms.room(name)
        guard let word = call[1] else { return addRoom(room, &call.answer) }
        guard call.client.may(.player) else {
          throw ControlRefusal(.permission, "you don't have permission to set rooms")
        }
        switch word {
        case "mute", "unmute": try rooms.set(room, isMuted: word == "mute")
        default:
          // A change such as "+5" would be parsed as the volume 5.
          guard !word.hasPrefix("+"), Int(word) != nil else {
            throw ControlRefusal(.argument, "A room is set to a volume of 0 to 100, mute or unmute: \(word)")
          }
          let outside = "The volume of a room lies between 0 and 100: \(word)"
          try rooms.set(room, volume: try call.integer(1, in: 0...100, outside: outside))
        }
      }
    ]
  }

  private static func addRoom(_ room: Room, _ answer: inout ControlAnswer) {
    answer.add([
      "room": room.name, "number": room.number, "volume": room.volume, "muted": room.isMuted,
      "connected": room.isConnected,
    ])
  }
}
