/// The command for the sources of a station: its addresses and fallbacks (F7).
enum SourceCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand(
        "radio_source", "[list|NUMBER|auto]", 0...1, .player,
        "lists the station's addresses and fallbacks, or plays one; `auto` returns to the usual choice"
      ) { call throws(ControlRefusal) in
        switch call.arguments.first ?? "list" {
        case "list": addSources(&call)
        case "auto":
          guard call.player.isPlayWanted, let id = call.player.tunedID, call.player.play(id: id) else {
            throw .notPlaying
          }
        default: try choose(call)
        }
      }
    ]
  }

  private static func addSources(_ call: inout ControlCall) {
    let fallback = call.player.fallback
    for (number, choice) in fallback.choices.enumerated() {
      let reason = choice.isCurrent ? fallback.reason?.sentence : nil
      call.answer.add([
        "source": number + 1, "name": choice.name, "kind": choice.kind.rawValue, "current": choice.isCurrent,
        "reason": reason,
      ])
    }
  }

  private static func choose(_ call: ControlCall) throws(ControlRefusal) {
    guard call.player.isPlayWanted else { throw .notPlaying }
    let count = call.player.fallback.choices.count { $0.kind != .tone }
    guard let number = Int(call.arguments[0]), (1...max(1, count)).contains(number),
      call.player.fallback.choose(number - 1)
    else { throw ControlRefusal(.notFound, "There is no such source; choose 1 to \(count), list or auto") }
  }
}
