import Rooms

/// The commands for outputs and partitions. Outputs: the radio and a snapserver's rooms. Partitions: only one.
enum OutputCommands {
  /// Creates the rows. `name` and `kind`: those of the radio's output.
  static func rows(name: String, kind: String) -> [ControlCommand] { outputs(name, kind) + partitions }

  /// The radio's output number; rooms have numbers from 1.
  private static let radio = 0

  private static func outputs(_ name: String, _ kind: String) -> [ControlCommand] {
    [
      ControlCommand("outputs", .read, "lists the outputs: 0 is the radio, the others are rooms; disabled means muted")
      {
        call in
        addOutput(radio, name, kind, call.player.volume.isMuted, &call)
        for room in call.context.rooms?.list.rooms ?? [] {
          addOutput(room.number, room.name, "snapcast", room.isMuted, &call)
        }
      },
      switching("enableoutput", "ends muting") { _ in false },
      switching("disableoutput", "mutes") { _ in true },
      switching("toggleoutput", "toggles muting") { !$0 },
      ControlCommand("outputset", "NUMBER NAME VALUE", 3...3, .admin, "refused: an output has no attributes") {
        call throws(ControlRefusal) in
        _ = try room(call)
        throw ControlRefusal(.argument, "Unsupported attribute")
      },
      ControlCommand("moveoutput", "NAME", 1...1, .admin, "does nothing: there is one partition") {
        call throws(ControlRefusal) in
        let names = [name] + (call.context.rooms?.list.rooms.map(\.name) ?? [])
        guard names.contains(call.arguments[0]) else { throw ControlRefusal(.notFound, "No such output") }
      },
    ]
  }

  private static func addOutput(_ id: Int, _ name: String, _ plugin: String, _ isMuted: Bool, _ call: inout ControlCall)
  {
    call.answer.add(["outputid": id, "outputname": name, "plugin": plugin, "outputenabled": !isMuted])
  }

  /// Returns the room whose number is the first argument; nil for the radio's number.
  private static func room(_ call: ControlCall) throws(ControlRefusal) -> Room? {
    let number = try call.integer(0)
    if number == radio { return nil }
    guard let room = call.context.rooms?.list[number] else { throw ControlRefusal(.notFound, "No such audio output") }
    return room
  }

  private static func switching(
    _ name: String, _ summary: String, _ isMuted: @escaping (Bool) -> Bool
  ) -> ControlCommand {
    ControlCommand(name, "NUMBER", 1...1, .admin, summary) { call throws(ControlRefusal) in
      if let room = try room(call) {
        try call.context.rooms?.set(room, isMuted: isMuted(room.isMuted))
      } else if !call.player.volume.mute(isMuted(call.player.volume.isMuted)) {
        throw ControlRefusal(.system, "The output cannot be muted")
      }
    }
  }

  private static var partitions: [ControlCommand] {
    [
      ControlCommand("listpartitions", .read, "reports the partition") { $0.answer.add("partition", "default") },
      ControlCommand("partition", "default", 1...1, .read, "accepted; the only partition") {
        call throws(ControlRefusal) in
        guard call.arguments[0] == "default" else { throw ControlRefusal(.notFound, "partition does not exist") }
      },
      ControlCommand.off("newpartition", "NAME", 1...1, .admin, ControlRefusal(.unknown, "Partitions are disabled")),
      ControlCommand("delpartition", "NAME", 1...1, .admin, "refused: there is one partition") {
        call throws(ControlRefusal) in
        if call.arguments[0] == "default" {
          throw ControlRefusal(.unknown, "cannot delete the default partition")
        }
        throw ControlRefusal(.notFound, "no such partition")
      }.unlisted,
    ]
  }
}
