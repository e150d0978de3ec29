enum OptionCommands {
  static var rows: [ControlCommand] {
    [
      flag("repeat", "repeats the queue", \.repeats),
      flag("random", "enables random order", \.isRandom),
      flag("consume", "removes played stations from the queue", \.consumes),
      ControlCommand("single", "0|1|oneshot", 1...1, .player, "stops after each file, or after the current one") {
        call throws(ControlRefusal) in
        guard let single = PlayOptions.Single(rawValue: call.arguments[0]) else {
          throw ControlRefusal(.argument, "Unrecognized single mode, expected 0, 1, or oneshot")
        }
        choose(call) { $0.single = single }
      },
      ControlCommand("crossfade", "SECONDS", 1...1, .player, "stored without effect") { call throws(ControlRefusal) in
        let seconds = try call.integer(0)
        choose(call) { $0.crossfade = seconds }
      },
      ControlCommand("mixrampdb", "DB", 1...1, .player, "stored without effect") { call throws(ControlRefusal) in
        let decibels = try call.figure(0)
        choose(call) { $0.mixRampDecibels = decibels.isFinite ? decibels : 0 }
      },
      ControlCommand("mixrampdelay", "SECONDS", 1...1, .player, "stored without effect") {
        call throws(ControlRefusal) in
        let delay = try call.figure(0)
        choose(call) { $0.mixRampDelay = delay.isFinite && delay >= 0 ? delay : nil }
      },
      ControlCommand("replay_gain_mode", "off|track|album|auto", 1...1, .player, "stored without effect") {
        call throws(ControlRefusal) in
        guard ["off", "track", "album", "auto"].contains(call.arguments[0]) else {
          throw ControlRefusal(.argument, "Unrecognized replay gain mode")
        }
        let mode = call.arguments[0]
        choose(call) { $0.replayGain = mode }
      },
      ControlCommand("replay_gain_status", .read, "reports the mode") { call in
        call.answer.add("replay_gain_mode", call.player.options.replayGain)
      },
      ControlCommand("setvol", "VOLUME", 1...1, .player, "sets the volume, 0 to 100") { call throws(ControlRefusal) in
        try turn(call, to: try call.integer(0, in: 0...100, outside: "Volume is 0 to 100"))
      },
      ControlCommand("volume", "CHANGE", 1...1, .player, "changes the volume, -100 to 100") {
        call throws(ControlRefusal) in
        let change = try call.integer(0, in: -100...100, outside: "A change of the volume is -100 to 100")
        try turn(call, to: call.player.volume.percent + change)
      },
      ControlCommand("getvol", .read, "reports the volume") { call in
        call.answer.add("volume", call.player.volume.setting)
      },
    ]
  }

  private static func flag(
    _ name: String, _ summary: String, _ option: WritableKeyPath<PlayOptions, Bool>
  ) -> ControlCommand {
    ControlCommand(name, "0|1", 1...1, .player, summary) { call throws(ControlRefusal) in
      let value = try call.flag(0)
      choose(call) { $0[keyPath: option] = value }
    }
  }
}

extension OptionCommands {
  private static func choose(_ call: ControlCall, _ change: (inout PlayOptions) -> Void) {
    var options = call.player.options
    change(&options)
    call.player.choose(options)
  }

  private static func turn(_ call: ControlCall, to volume: Int) throws(ControlRefusal) {
    guard call.player.volume.turn(to: volume) else { throw ControlRefusal(.system, "problems setting volume") }
  }
}
