/// MPD's connection commands. `ControlSession` itself handles `noidle` and command lists.
enum ConnectionCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand("ping", [], "does nothing") { _ in },
      ControlCommand("close", "", 0...ControlCommand.any, [], "closes the connection") { $0.client.leave() },
      ControlCommand("password", "PASSWORD", 1...1, [], "grants the password's permissions") {
        call throws(ControlRefusal) in
        try call.context.clients.identify(call.client, by: call.arguments[0])
      },
      ControlCommand("kill", "", 0...ControlCommand.any, .never, "refused: the operating system stops the service") {
        _ in
      },
      ControlCommand("binarylimit", "BYTES", 1...1, [], "accepted; no binary data is ever sent") {
        call throws(ControlRefusal) in
        guard try call.integer(0, in: 0...(5 << 20)) >= 64 else { throw ControlRefusal(.argument, "Value too small") }
      },
      ControlCommand(
        "idle", "[SUBSYSTEM…]", 0...ControlCommand.any, .read, "waits until something changes, or `noidle`"
      ) {
        call throws(ControlRefusal) in
        var awaited: Set<Subsystem> = []
        for name in call.arguments {
          guard let subsystem = Subsystem(rawValue: name) else {
            throw ControlRefusal(.argument, "Unrecognized idle event: \(name)")
          }
          awaited.insert(subsystem)
        }
        call.answer.isDeferred = true
        // Reports earlier changes now; otherwise a following `noidle` would cancel them.
        call.player.settle()
        let isReported = call.client.wait(for: awaited.isEmpty ? Set(Subsystem.allCases) : awaited)
        if isReported { call.context.clients.markNews() }
      },
    ]
  }
}
