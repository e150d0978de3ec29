import Control

enum SleepCommands {
  private static let maxMinutes = 1_440

  /// Returns the commands. `box` must outlive them.
  static func rows(_ box: any BoxControls) -> [ControlCommand] {
    [
      ControlCommand(
        "radio_sleep", "[MINUTES|off]", 0...1, .player,
        "sets the sleep timer, 1 to 1440 minutes, or switches it off; reports the remaining minutes"
      ) { [unowned box] call throws(ControlRefusal) in
        switch call[0] {
        case nil: break
        case "off", "0": box.setSleep(minutes: nil)
        case _?:
          let outside = "The sleep timer has 1 to \(maxMinutes) minutes, or off: \(call.arguments[0])"
          box.setSleep(minutes: try call.integer(0, in: 1...maxMinutes, outside: outside))
        }
        call.answer.add("sleep_minutes", box.sleepMinutes ?? 0)
      }
    ]
  }
}
