import Units

enum GuestCommands {
  static var rows: [ControlCommand] {
    commands.map { row in
      var row = row
      // Leases continue without a radio; a new radio adopts them.
      row.needsRadio = false
      return row
    }
  }

  private static var commands: [ControlCommand] {
    [
      ControlCommand(
        "radio_suspend", "[NAME [SECONDS]]", 0...2, .player,
        "lends the sound device to another program, 43,200 s by default; replies once it is free"
      ) { call throws(ControlRefusal) in
        let name = try name(call)
        let seconds =
          call.arguments.count < 2
          ? Defaults.leaseSeconds
          : try call.integer(
            1, in: Limits.leaseSeconds,
            outside: "The seconds lie between 1 and \(Limits.leaseSeconds.upperBound): \(call.arguments[1])")
        let device = call.player.device
        guard device.lend(to: name, for: Duration(seconds: Double(seconds)), at: call.context.clients.now()) else {
          throw ControlRefusal(.system, "\(SoundLeases.maxCount) programs have the sound already")
        }
        call.answer.end { !device.isLettingGo }
      },
      ControlCommand(
        "radio_resume", "[NAME]", 0...1, .player,
        "ends the lease of one program or all; after the last one playback resumes"
      ) { call throws(ControlRefusal) in
        if let name = try name(call) { call.player.device.end(of: name) } else { call.player.device.endAllLeases() }
      },
    ]
  }

  private static func name(_ call: ControlCall) throws(ControlRefusal) -> String? {
    guard let name = call[0] else { return nil }
    guard SoundLeases.isName(name) else {
      throw ControlRefusal(
        .argument,
        "A name has 1 to \(SoundLeases.maxNameLength) characters that can be shown, and is no number: \(name)")
    }
    return name
  }

  static func addStatus(_ call: inout ControlCall) {
    let device = call.player.device
    let now = call.context.clients.now()
    let guest = device.guest.flatMap { $0.isEmpty ? nil : $0 }
    let rest = device.leases.end.map { max(0, ($0 - now).seconds) }
    call.answer.add(["suspended": device.isSuspended, "suspended_by": guest, "suspended_for": rest])
  }
}
