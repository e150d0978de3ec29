import Control
import Settings
import System

/// The commands that the box adds to the control protocol: panel, presets, settings and web panel.
enum BoxCommands {
  /// Creates the commands. `box` must outlive them.
  static func rows(_ box: any BoxControls) -> [ControlCommand] {
    panel(box) + owner(box) + RelocationCommands.rows(box) + WebCommands.rows(box) + SleepCommands.rows(box)
      + AlarmCommands.rows(box)
  }

  static func panel(_ box: any PanelControls) -> [ControlCommand] {
    [
      ControlCommand("radio_press", "BUTTON [GESTURE]", 1...2, .player, "presses a button: press, long or double") {
        [unowned box] call throws(ControlRefusal) in try box.press(call.arguments[0], call[1] ?? "press")
      },
      ControlCommand(
        "radio_turn", "CLICKS [MODE]", 1...2, .player, "turns the knob, -100 to 100; clockwise is positive"
      ) {
        [unowned box] call throws(ControlRefusal) in try box.turn(try call.integer(0, in: -100...100), call[1])
      },
      ControlCommand("radio_display", "", 0...0, .read, "reports the display's contents") { [unowned box] call in
        box.writeDisplay(&call.answer, isLocal: call.isLocal)
      },
    ]
  }

  private static func owner(_ box: any BoxControls) -> [ControlCommand] {
    [
      ControlCommand("radio_power", "on|off", 1...1, .player, "plays, or enters standby") {
        [unowned box] call throws(ControlRefusal) in
        switch call.arguments[0] {
        case "on": box.power(true)
        case "off": box.power(false)
        default: throw ControlRefusal(.argument, "There is no \(call.arguments[0]); there are on and off")
        }
      },
      ControlCommand(
        "radio_preset", "add [NAME ADDRESS [NUMBER]]|remove PRESET|move PRESET NUMBER|edit PRESET KEY VALUE…",
        1...1_000, .admin, "changes the presets; add without arguments saves the current station"
      ) { [unowned box] call throws(ControlRefusal) in
        try changePresets(box, call)
        box.usePresets()
      },
      ControlCommand(
        "radio_setting", "[list|KEY [VALUE|reset]]", 0...2, .admin,
        "lists settings, or changes one; reset restores the value of the file"
      ) { [unowned box] call throws(ControlRefusal) in
        if call.arguments == ["list"] { return list(box.settings, &call) }
        var keys = Configuration.changeableKeys
        if let key = call[0] {
          try box.settings.check(key)
          if let value = call[1] { call.answer.add("applies", try box.set(key, as: value) ? "now" : "restart") }
          keys = [key]
        }
        for key in keys { call.answer.add(key, box.settings.configuration.words(of: key)) }
      },
      ControlCommand("radio_reload", "", 0...0, .admin, "reloads settings and stations; playback continues") {
        [unowned box] call in
        let fault = box.reload()
        call.answer.add("stations", box.presets.count)
        call.answer.add("problem", fault)
        call.answer.add("file", resolvedPath(box.sources.stations) ?? box.sources.stations)
        call.answer.add("owner", resolvedPath(box.sources.owner) ?? box.sources.owner)
      },
    ]
  }

  private static func list(_ settings: SettingsController, _ call: inout ControlCall) {
    for key in Configuration.changeableKeys {
      call.answer.add([
        "key": key, "value": settings.configuration.words(of: key), "default": settings.fileValue(key),
        "applies": Configuration.appliesAtOnce(key) ? "now" : "restart",
      ])
    }
  }

  private static func changePresets(_ box: any BoxControls, _ call: ControlCall) throws(ControlRefusal) {
    let words = call.arguments
    switch (words[0], words.count) {
    case ("add", 1): try box.savePlaying()
    case ("add", 3...4):
      let number = words.count == 4 ? try call.integer(3, in: 1...10_000) : nil
      let hidden = call.player.queue.hidden(words[2])
      let isNamed = hidden == nil ? try call.isFromDirectory(words[2]) : false
      try box.presets.add(words[1], words[2], hidden: hidden, isFromDirectory: isNamed, at: number)
    case ("remove", 2): try box.presets.remove(words[1])
    case ("move", 3): try box.presets.move(words[1], to: try call.integer(2, in: 1...10_000))
    case ("edit", 4...):
      let isNamed = words[2] == "url" ? try call.isFromDirectory(words[3]) : false
      try box.presets.edit(words[1], words[2], to: Array(words[3...]), isFromDirectory: isNamed)
    case ("add", _), ("remove", _), ("move", _), ("edit", _):
      throw ControlRefusal(.argument, "wrong number of arguments for \"radio_preset \(words[0])\"")
    default:
      throw ControlRefusal(.argument, "There is no \(words[0]); there are add, remove, move and edit")
    }
  }
}
