/// The one output, and partitions, of which there is one too.
enum OutputCommands {
  static var rows: [ControlCommand] { outputs + partitions }

  private static var outputs: [ControlCommand] {
    [
      ControlCommand("outputs", .read, "tells the output; disabled is muted") { call in
        call.answer.add("outputid", 0)
        call.answer.add("outputname", call.commands.facts.outputName)
        call.answer.add("plugin", call.commands.facts.outputKind)
        call.answer.add("outputenabled", !call.player.volume.isMuted)
      },
      switching("enableoutput", "ends muting") { _ in false },
      switching("disableoutput", "mutes") { _ in true },
      switching("toggleoutput", "the one or the other") { !$0 },
      ControlCommand("outputset", "0 NAME VALUE", 3...3, .admin, "refused: an output has no attributes") {
        call throws(ControlRefusal) in
        guard try call.integer(0) == 0 else { throw ControlRefusal(.notFound, "No such audio output") }
        throw ControlRefusal(.argument, "Unsupported attribute")
      },
      ControlCommand("moveoutput", "NAME", 1...1, .admin, "does nothing: there is one partition") {
        call throws(ControlRefusal) in
        guard call.arguments[0] == call.commands.facts.outputName else {
          throw ControlRefusal(.notFound, "No such output")
        }
      },
    ]
  }

  private static func switching(
    _ name: String, _ summary: String, _ isMuted: @escaping (Bool) -> Bool
  ) -> ControlCommand {
    ControlCommand(name, "0", 1...1, .admin, summary) { call throws(ControlRefusal) in
      guard try call.integer(0) == 0 else { throw ControlRefusal(.notFound, "No such audio output") }
      guard call.player.volume.mute(isMuted(call.player.volume.isMuted)) else {
        throw ControlRefusal(.system, "The output cannot be muted")
      }
    }
  }

  private static var partitions: [ControlCommand] {
    [
      ControlCommand("listpartitions", .read, "tells the partition") { $0.answer.add("partition", "default") },
      ControlCommand("partition", "default", 1...1, .read, "stays there") { call throws(ControlRefusal) in
        guard call.arguments[0] == "default" else { throw ControlRefusal(.notFound, "partition does not exist") }
      },
      ControlCommand.off("newpartition", "NAME", 1...1, .admin, ControlRefusal(.unknown, "Partitions are disabled")),
      ControlCommand("delpartition", "NAME", 1...1, .admin, "refused: there is one partition") {
        call throws(ControlRefusal) in
        if call.arguments[0] == "default" {
          throw ControlRefusal(.unknown, "cannot delete the default partition")
        }
        throw ControlRefusal(.notFound, "no such partition")
      }.untold,
    ]
  }
}
